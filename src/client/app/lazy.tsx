import { use, useReducer, type ReactNode } from 'react'
import { ChunkFailure } from './ChunkFailure.tsx'
import { loadChunk } from './chunks.ts'

type Part<P> = (props: P) => ReactNode

/** What a component takes; nothing for one without. */
type PropsOf<T extends (props: never) => ReactNode> = [] extends Parameters<T> ? object : Parameters<T>[0] & object

type Outcome<P> = { readonly part: Part<P> } | { readonly error: unknown }

export interface LazyPart<P> {
  (props: P): ReactNode
  /** Starts loading, for what is about to be opened; resolves once it is there or has failed to come. */
  readonly preload: () => Promise<void>
}

/**
 * A component whose code is loaded when it is first shown; suspends meanwhile. As `React.lazy`, but when the code does not come it says so
 * in its place and offers another try. `loadBy` is `loadSpokenChunk` for what a list may show from its beginning.
 */
export function lazy<T extends (props: never) => ReactNode>(load: () => Promise<{ readonly default: T }>, loadBy: <M>(load: () => Promise<M>) => Promise<M> = loadChunk): LazyPart<PropsOf<T>> {
  type P = PropsOf<T>
  let loading: Promise<Outcome<P>> | undefined
  let hasFailed = false
  const start = (): Promise<Outcome<P>> => {
    if (loading !== undefined) return loading
    hasFailed = false
    const promise = loadBy(load).then<Outcome<P>, Outcome<P>>(
      // A component takes its own props.
      ({ default: part }) => ({ part: part as unknown as Part<P> }),
      (error: unknown) => {
        hasFailed = true
        return { error }
      },
    )
    // React reads from a promise that says so what it came to: what is there already is painted at once, without a turn through Suspense.
    void promise.then((value) => Object.assign(promise, { status: 'fulfilled', value }))
    return (loading = promise)
  }
  const forget = (): void => {
    loading = undefined
  }
  function LazyPart(props: P): ReactNode {
    const [, repaint] = useReducer((round: number) => round + 1, 0)
    const now = use(start())
    if ('part' in now) return <now.part {...props} />
    const onRetry = (): void => {
      forget()
      repaint()
    }
    const onClose = 'onClose' in props && typeof props.onClose === 'function' ? props.onClose : undefined
    return <ChunkFailure error={now.error} onRetry={onRetry} onClose={onClose === undefined ? undefined : () => void onClose()} />
  }
  return Object.assign(LazyPart, {
    preload: async () => {
      if (hasFailed) forget()
      await start()
    },
  })
}
