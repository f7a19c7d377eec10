import { callName, firstAnswersId, type FirstAnswers } from '#api/firstAnswers.ts'
import { readCookie } from './cookies.ts'

/** What nobody has asked for by then is too old to be told. */
const keepMs = 5_000

let known: Map<string, unknown> | undefined

/** The envelope that came with the page for a call to `path`, once; undefined: it has to be asked for. */
export function takeFirstAnswer(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): unknown {
  known ??= read()
  if (known.size === 0) return undefined
  const key = callName(path, query)
  const answer = known.get(key)
  known.delete(key)
  return answer
}

function read(): Map<string, unknown> {
  const element = document.getElementById(firstAnswersId)
  if (element === null) return new Map()
  const { session, answers } = JSON.parse(element.textContent ?? '') as FirstAnswers
  element.remove()
  // Somebody else may have signed in while the page was on its way.
  if (session !== (readCookie('log_login_id') ?? '')) return new Map()
  setTimeout(() => known?.clear(), keepMs)
  return new Map(Object.entries(answers))
}
