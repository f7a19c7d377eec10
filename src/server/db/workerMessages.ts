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
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'bytes'; readonly session: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The rest of the answer; everything sent with one 'bytes' message has been worked off. */
  | { readonly kind: 'done'; readonly session: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'flushed'; readonly flush: number }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'closed' }

/** What the names of a client's prepared statements begin with: all clients of the embedded database share one session. */
export function statementPrefix(session: number): string {
  return `s${session}_`
}
