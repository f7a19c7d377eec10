import type { Screen } from '#meta/resolved.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

/** What the router hands to the page of a screen kind. */
export interface PageProps<S extends Screen = Screen> {
  readonly screen: S
  readonly module: ScreenModule
  /**
   * Path parameters (`id`), fixed values of the route (`record`: the id of the record a form edits; `customer_id`) and,
   * for forms and details, the query.
   */
  readonly params: Readonly<Record<string, string>>
}
