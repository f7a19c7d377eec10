import type {
  Field, MenuNode, ResolvedDataset, ResolvedEntity, ResolvedPosting, ResolvedWorkflow, Route, Screen,
} from '#meta/resolved.ts'

/** A server command declared beside a workflow: `POST /api/v1/command/<name>`. */
export interface ResolvedCommand {
  readonly name: string
  readonly label: string
  /** Entity whose workflow file declares it. */
  readonly entity: string
  readonly guard: string
  /** How many rows it is asked for. */
  readonly rows: 'none' | 'one' | 'all'
  readonly params: readonly Field[]
}

/** A permission. `module` is the resource it belongs to. */
export interface Guard {
  readonly name: string
  readonly module: string
}

/** Everything the schema files say, resolved: the server's whole knowledge of the product. Never loaded by the client. */
export interface Metadata {
  readonly entities: Readonly<Record<string, ResolvedEntity>>
  /** URL segment → entity id. */
  readonly entityByResource: Readonly<Record<string, string>>
  /** By entity id. */
  readonly workflows: Readonly<Record<string, ResolvedWorkflow>>
  readonly commands: Readonly<Record<string, ResolvedCommand>>
  /** By event. */
  readonly postings: Readonly<Record<string, ResolvedPosting>>
  readonly datasets: Readonly<Record<string, ResolvedDataset>>
  readonly screens: Readonly<Record<string, Screen>>
  readonly routes: readonly Route[]
  readonly menu: readonly MenuNode[]
  readonly guards: readonly Guard[]
}
