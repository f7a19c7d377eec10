/** One record that answers to what was typed in the search over everything. */
export interface SearchHit {
  /** Entity it belongs to. */
  readonly Entity: string
  readonly ID: number
  /** Number or code; `DRAFT-17` for a document without one. */
  readonly Code: string
  /** Its name; for a document that of its customer. */
  readonly Name: string | null
  /** Day of a document. */
  readonly Date: string | null
  /** Status of a document. */
  readonly Status: number | null
  /** Page that shows it. */
  readonly Url: string
}

/** `GET /api/v1/search`: best first, at most `length` for each entity. */
export interface SearchAnswer {
  readonly records: readonly SearchHit[]
}

/** Shorter texts are not looked for: no index helps with them. */
export const shortestSearch = 3
