import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { DetailScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { DetailView } from './DetailView.tsx'

/** A document as a page; the open tab is in the URL. */
export function DetailPage({ screen, module, params }: PageProps<DetailScreen>) {
  const [query, setQuery] = useSearchParams()
  const select = useCallback(
    (tab: string) => {
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          next.set('tab', tab)
          return next
        },
        { replace: true },
      )
    },
    [setQuery],
  )
  return <DetailView screen={screen} module={module} id={Number(params['id'])} tab={query.get('tab') ?? query.get('notes') ?? undefined} onTab={select} />
}
