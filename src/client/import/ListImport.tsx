import { useLocation } from 'react-router-dom'
import type { ListScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { EmptyState, Skeleton } from '../ui/States.tsx'
import { ImportPage } from './ImportPage.tsx'

/** Takes in what a list shows, in the list's own place: `?import=1`. */
export function ListImport({ list }: { readonly list: ListScreen }) {
  const { pathname } = useLocation()
  return list.importer === undefined ? <EmptyState icon="file" title={t('import.none-here')} /> : <Known importer={list.importer} back={pathname} />
}

function Known({ importer, back }: { readonly importer: string; readonly back: string }) {
  const { failure } = useScreens([importer])
  const screen = loadedScreen(importer)?.screen
  if (screen?.kind !== 'import') return failure ?? <Skeleton lines={8} />
  return <ImportPage screen={screen} back={back} />
}
