import type { Condition } from '#meta/condition.ts'
import type {
  BankFile, MenuNode, Param, PayFile, ResolvedDataset, ResolvedEntity, ResolvedPosting, ResolvedWorkflow, Route, Screen, Tone,
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
  readonly params: readonly Param[]
  /** `record`: it takes a whole record of the entity as it would be saved, instead of params. */
  readonly body: 'params' | 'record'
  /** It answers a question and writes nothing. */
  readonly readOnly: boolean
  /** It works out what the entity derives; no code of its own answers it. */
  readonly derives?: true
}

/** A permission. `module` is the resource it belongs to. */
export interface Guard {
  readonly name: string
  readonly module: string
}

/** A number on the home page: rows of a list, and the way to them. */
export interface HomeCount {
  readonly screen: string
  readonly entity: string
  /** Message key. */
  readonly label: string
  readonly tone: Tone
  /** Rows counted; absent: all. */
  readonly where?: Condition
  /** The list with just these rows; undefined while no route leads to it. */
  readonly path: string | undefined
}

/** A list that a company fills before its first order, and the way to it. */
export interface FirstStep {
  readonly screen: string
  readonly entity: string
  /** Message key: what the list is called. */
  readonly label: string
  readonly path: string
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
  /** How banks lay out their delimited files, in the order they are tried. */
  readonly bankFiles: readonly BankFile[]
  readonly payFiles: readonly PayFile[]
  readonly datasets: Readonly<Record<string, ResolvedDataset>>
  readonly screens: Readonly<Record<string, Screen>>
  readonly routes: readonly Route[]
  readonly menu: readonly MenuNode[]
  readonly homeCounts: readonly HomeCount[]
  /** In their order. */
  readonly firstSteps: readonly FirstStep[]
  readonly guards: readonly Guard[]
}
