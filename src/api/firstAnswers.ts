/**
 * Answers a page brings along, so that its first script need not ask for them: JSON in `<script type="application/json" id="first-answers">` at
 * the end of the page. Each is the whole envelope the call would have had; a call that was refused has none.
 */
export interface FirstAnswers {
  /** Cookie `log_login_id` of whom they were given to. */
  readonly session: string
  /** By path and query of the call, `/api/v1/permission?module=&source=OMS`. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const firstAnswersId = 'first-answers'

/** Under which the answer to a call is found: its path with the query as it is sent. */
export function callName(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  return asked.length === 0 ? path : `${path}?${asked.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

/** Cookie that tells what this browser's lists differ in from those delivered: the server cannot know what they will ask otherwise. */
export const listHabitsCookie = 'lists'

export interface ListHabits {
  /** Rows a page where neither address nor view say. */
  readonly length: number
  /** `layoutKey`s of the lists whose columns have been laid out here; undefined: too many to be told. */
  readonly laidOut: readonly string[] | undefined
}

const mostHabits = 1_000

/** `50!sales-order.list!customer.list#12`; `50!*` where that would be too long for a cookie. */
export function writeHabits({ length, laidOut }: ListHabits): string {
  const text = [length, ...(laidOut ?? ['*'])].join('!')
  return text.length > mostHabits ? `${length}!*` : text
}

/** Undefined where it says nothing that can be understood. */
export function readHabits(text: string): ListHabits | undefined {
  const [first = '', ...laidOut] = text.split('!')
  if (!/^[1-9]\d{0,4}$/.test(first)) return undefined
  return { length: Number(first), laidOut: laidOut.includes('*') ? undefined : laidOut }
}
