import type { Route, ScreenKind } from '#meta/resolved.ts'

/** A row of the route list as the client's router reads it. */
export interface ClientRoute extends Route {
  /** Kind, title key and guard of the screen that serves the path. */
  readonly kind?: ScreenKind
  readonly title?: string
  readonly permission?: string
}
