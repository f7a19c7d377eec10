import type { Metadata } from '#meta/metadata.ts'
import type { SingleSignOn } from './access/singleSignOn.ts'
import type { Clock, Command, Database, Effect, Precondition } from './context.ts'
import type { DocumentHookTable } from './documents/hooks.ts'
import type { FlowTable } from './documents/flowLinks.ts'
import type { FileStore } from './files/fileStore.ts'
import type { MailRoom } from './mail/mailRoom.ts'
import type { SchemaShelf } from './studio/schemaShelf.ts'

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
  readonly files: FileStore
  readonly log: (line: string) => void
  /** Where the schema files lie; absent: nothing is composed. */
  readonly schemas?: SchemaShelf
  readonly mail: MailRoom
  /** Undefined: no provider is configured. */
  readonly sso?: SingleSignOn | undefined
  /** Address under which people reach the product, without a slash at the end; undefined: mails hold no links. */
  readonly publicUrl?: string | undefined
  /** Does work after the answer has left; a failure goes into the log, and the server waits for it when it stops. */
  later(work: () => Promise<void>): void
}
