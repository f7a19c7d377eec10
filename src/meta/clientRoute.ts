import type { Route, ScreenKind } from '#meta/resolved.ts'

/** A row of the route list as the client's router reads it. */
export interface ClientRoute extends Omit<Route, 'reads' | 'runs'> {
  /** Kind and title key of the screen that serves the path; its guard is the route's `permission`. */
  readonly kind?: ScreenKind
  readonly title?: string
}
