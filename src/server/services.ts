import type { Metadata } from '#meta/metadata.ts'
import type { Clock, Command, Database, Effect, Precondition } from './context.ts'
import type { DocumentHookTable } from './documents/hooks.ts'
import type { FlowTable } from './documents/flowLinks.ts'

/** What the services work with; built once by the application, or by a test with registries of its own. */
export interface Services {
  readonly database: Database
  readonly clock: Clock
  readonly metadata: Metadata
  readonly hooks: DocumentHookTable
  readonly flow: FlowTable
  readonly preconditions: Readonly<Record<string, Precondition>>
  readonly effects: Readonly<Record<string, Effect>>
  readonly commands: Readonly<Record<string, Command>>
  readonly log: (line: string) => void
}
