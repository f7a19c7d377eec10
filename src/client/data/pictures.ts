import { loadChunk } from '../app/chunks.ts'

/** Pictures of people, asked for once each; a key never changes its picture. */
const known = new Map<string, Promise<string | undefined>>()
const ready = new Map<string, string>()

/** Address of the picture; undefined when it cannot be had. */
export function pictureOf(key: string): Promise<string | undefined> {
  const asked = known.get(key)
  if (asked !== undefined) return asked
  const asking = loadChunk(() => import('./files.ts'))
    .then(({ previewFile }) => previewFile(key))
    .then((answer) => {
      if (!answer.ok) throw new Error(answer.problem.text)
      ready.set(key, answer.value.url)
      return answer.value.url
    })
    .catch(() => {
      known.delete(key)
      return undefined
    })
  known.set(key, asking)
  return asking
}

/** The same, if it has been asked for before. */
export function readyPicture(key: string): string | undefined {
  return ready.get(key)
}
