import type { Root } from 'react-dom/client'
import { loadChunk } from './chunks.ts'
import { errorToastMs, successToastMs } from './constants.ts'
import type * as Toaster from './Toaster.tsx'

export interface Toast {
  readonly tone: 'success' | 'error' | 'warning' | 'info'
  readonly text: string
  readonly title?: string
  /** Milliseconds on screen. */
  readonly lasts?: number
  /** At the foot of the page, where nothing waits to be pressed, and pressed through. */
  readonly isAside?: boolean
}

/** Success stays 3.5 s, a refusal 2.5 s unless told otherwise. */
const lasts = { success: successToastMs, error: errorToastMs, warning: successToastMs, info: successToastMs } as const

/** A message at the edge of the page. The toast library is loaded with the first one. */
export async function notify(toast: Toast): Promise<void> {
  // Without the library there is nothing to say it with; the next message tries again.
  const toaster = await load().catch(() => undefined)
  toaster?.raise({ ...toast, lasts: toast.lasts ?? lasts[toast.tone] })
}

let loaded: Promise<typeof Toaster> | undefined
let root: Root | undefined

async function load(): Promise<typeof Toaster> {
  loaded ??= loadChunk(() => import('./Toaster.tsx')).catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  const toaster = await loaded
  if (root === undefined) {
    const container = document.createElement('div')
    document.body.append(container)
    root = toaster.mountToaster(container)
    // The container must have taken its place before it can show anything.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return toaster
}
