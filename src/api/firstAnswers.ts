/**
 * Answers a page brings along, so that its first script need not ask for them: JSON in `<script type="application/json" id="first-answers">` at
 * the end of the page. Each is the whole envelope the call would have had; a call that was refused has none.
 */
export interface FirstAnswers {
  /** Cookie `log_login_id` of whom they were given to. */
  readonly session: string
  /** By path and query of the call, `/api/v1/permission?source=OMS`. */
  readonly answers: Readonly<Record<string, unknown>>
}

export const firstAnswersId = 'first-answers'

