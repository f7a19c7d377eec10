/** Folder within a data folder in which its lock stands: wherever that is mounted or linked, it comes along. A copy is not locked. */
export const lockFolder = 'arus_lock'

/** What the main thread hands the database worker at its start. */
export interface WorkerSettings {
  /** PGlite's, compiled. */
  readonly program: WebAssembly.Module
  readonly directory: string
  /** false only in tests: no fsync, a crash of the machine may lose the data. */
  readonly isDurable: boolean
  readonly sharedBuffersMb: number
  readonly maintenanceMs: number
}

export type ToWorker =
  | { readonly kind: 'open'; readonly session: number }
  | { readonly kind: 'bytes'; readonly session: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly session: number }
  /** Everything committed before it is to reach the disk. */
  | { readonly kind: 'flush'; readonly flush: number }
  /** The data directory as it is between two transactions is to stand in another folder too. */
  | { readonly kind: 'copy'; readonly copy: number; readonly to: string }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'bytes'; readonly session: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The rest of the answer; everything sent with one 'bytes' message has been worked off. */
  | { readonly kind: 'done'; readonly session: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'flushed'; readonly flush: number }
  /** From now on until it is done nobody is served. */
  | { readonly kind: 'copying' }
  /** `problem`: why it could not be made. */
  | { readonly kind: 'copied'; readonly copy: number; readonly problem?: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'closed' }

/** What the names of a client's prepared statements begin with: all clients of the embedded database share one session. */
export function statementPrefix(session: number): string {
  return `s${session}_`
}
