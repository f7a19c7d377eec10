import { callName, firstAnswersId, type FirstAnswers, type FirstTexts } from '#api/firstAnswers.ts'
import { readCookie } from './cookies.ts'

/** What nobody has asked for by then is too old to be told. */
const keepMs = 5_000

let known: Map<string, unknown> | undefined
let brought: FirstTexts | undefined

/** The envelope that came with the page for a call to `path`, once; undefined: it has to be asked for. */
export function takeFirstAnswer(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}): unknown {
  known ??= read()
  if (known.size === 0) return undefined
  const key = callName(path, query)
  const answer = known.get(key)
  known.delete(key)
  return answer
}

/** The texts that came with the page, if they are of this language. */
export function firstTexts(language: string): FirstTexts['texts'] | undefined {
  known ??= read()
  return brought?.language === language ? brought.texts : undefined
}

function read(): Map<string, unknown> {
  const element = document.getElementById(firstAnswersId)
  if (element === null) return new Map()
  const { session, answers, texts } = JSON.parse(element.textContent ?? '') as FirstAnswers
  element.remove()
  brought = texts
  // Somebody else may have signed in while the page was on its way.
  if (session !== (readCookie('log_login_id') ?? '')) return new Map()
  setTimeout(() => known?.clear(), keepMs)
  return new Map(Object.entries(answers))
}
