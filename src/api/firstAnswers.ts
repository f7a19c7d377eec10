/**
 * Answers a page brings along, so that its first script need not ask for them: JSON in `<script type="application/json" id="first-answers">` at
 * the end of the page. Each is the whole envelope the call would have had; a call that was refused has none.
 */
export interface FirstAnswers {
  /** Cookie `log_login_id` of whom they were given to. */
  readonly session: string
  /** By path and query of the call, `/api/v1/permission?module=&source=OMS`. */
  readonly answers: Readonly<Record<string, unknown>>
  /** Those texts the page may draw first, in the language of its browser (cookie `lists`); the others are asked for once it is seen. */
  readonly texts?: FirstTexts
}

export interface FirstTexts {
  readonly language: string
  /** By key. */
  readonly texts: Readonly<Record<string, string>>
}

export const firstAnswersId = 'first-answers'

/** Under which the answer to a call is found: its path with the query as it is sent. */
export function callName(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  return asked.length === 0 ? path : `${path}?${asked.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

/** Cookie that tells in which language this browser is and what its lists differ in from those delivered: the server cannot know what they will show and ask otherwise. */
export const listHabitsCookie = 'lists'

export interface ListHabits {
  /** Undefined where it is not told. */
  readonly language: string | undefined
  /** Rows a page where neither address nor view say. */
  readonly length: number
  /** `layoutKey`s of the lists whose columns have been laid out here; undefined: too many to be told. */
  readonly laidOut: readonly string[] | undefined
}

const mostHabits = 1_000

/** `50!en!sales-order.list!customer.list#12`; `50!en!*` where that would be too long for a cookie. */
export function writeHabits({ length, language, laidOut }: ListHabits): string {
  const own = [length, ...(language === undefined ? [] : [language])]
  const text = [...own, ...(laidOut ?? ['*'])].join('!')
  return text.length > mostHabits ? [...own, '*'].join('!') : text
}

/** Undefined where it says nothing that can be understood. */
export function readHabits(text: string): ListHabits | undefined {
  const [first = '', ...others] = text.split('!')
  if (!/^[1-9]\d{0,4}$/.test(first)) return undefined
  // The name of a screen has a dot.
  const language = /^[a-z]{2}$/.test(others[0] ?? '') ? others.shift() : undefined
  return { length: Number(first), language, laidOut: others.includes('*') ? undefined : others }
}
