import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { t } from '../app/messages.ts'
import { ListView } from './ListView.tsx'
import { useUrlListState } from '../table/useListState.ts'

/** A list as a page: its state is the URL's query, the record open beside it `?edit=<ID>`. */
export function ListPage({ screen, params }: PageProps<ListScreen>) {
  const [state, setState] = useUrlListState()
  const [edited, edit] = useEdited()
  return <ListView screen={screen} params={params} state={state} setState={setState} edited={edited} onEdit={edit} heading={<h1>{t(screen.title)}</h1>} />
}

/** The record open beside a list, in the URL so that Back closes it. */
export function useEdited(): readonly [string | undefined, (edited: string | undefined) => void] {
  const [query, setQuery] = useSearchParams()
  const edit = useCallback(
    (edited: string | undefined) => {
      setQuery((before) => {
        const next = new URLSearchParams(before)
        if (edited === undefined) next.delete('edit')
        else next.set('edit', edited)
        return next
      })
    },
    [setQuery],
  )
  return [query.get('edit') ?? undefined, edit]
}
