import { useAtomValue } from 'jotai'
import type { WorkbenchScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { t } from '../app/messages.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { useUrlQuery } from '../app/urlQuery.ts'
import { sessionAtom } from '../data/session.ts'
import { useUrlPlace } from '../table/useListState.ts'
import { EmptyState, Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ScopedListView } from '../scope/ScopedListView.tsx'
import { ImportOf, useEdited } from './ListPage.tsx'
import css from './WorkbenchPage.module.css'

/** Several lists of one desk under tabs. The tab and its list's state are in the URL; another tab starts afresh. */
export function WorkbenchPage({ screen, params }: PageProps<WorkbenchScreen>) {
  const [query, setQuery] = useUrlQuery()
  const guards = useAtomValue(sessionAtom)?.guards
  const { isLoaded, failure } = useScreens(screen.tabs.map((tab) => tab.screen))
  if (!isLoaded) return failure ?? <Skeleton lines={10} />
  // A desk shows each of its users the lists he may read.
  const tabs = screen.tabs.filter((tab) => guards?.has(loadedScreen(tab.screen)?.screen.guard ?? '') === true)
  const current = tabs.find((tab) => tab.id === query.get('tab')) ?? tabs[0]
  if (current === undefined) return <EmptyState title={t('ui.nothing-allowed')} />
  if (query.has('import')) {
    const lists = [current, ...tabs].flatMap((tab) => loadedScreen(tab.screen)?.screen ?? []).filter((list) => list.kind === 'list')
    const list = lists.find(({ importer }) => importer !== undefined) ?? lists[0]
    if (list !== undefined) return <ImportOf list={list} />
  }
  return (
    <section className={css['desk']}>
      <h1>{t(screen.title)}</h1>
      <Tabs label={t(screen.title)} tabs={tabs.map((tab) => ({ id: tab.id, title: t(tab.title) }))} current={current.id} onSelect={(tab) => setQuery(() => new URLSearchParams({ tab }))}>
        <TabList key={current.id} screenId={current.screen} params={params} />
      </Tabs>
    </section>
  )
}

function TabList({ screenId, params }: { readonly screenId: string; readonly params: Readonly<Record<string, string>> }) {
  // The desk has loaded all of its lists.
  const module = loadedScreen(screenId)
  const place = useUrlPlace()
  const [edited, edit] = useEdited()
  if (module === undefined || module.screen.kind !== 'list') return <Skeleton lines={8} />
  return <ScopedListView screen={module.screen} params={params} place={place} edited={edited} onEdit={edit} />
}
