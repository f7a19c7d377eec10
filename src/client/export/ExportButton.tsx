import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { exportFormats, type ExportFormat } from '#api/export.ts'
import type { Column, ListScreen, ReportScreen } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import { t } from '../app/messages.ts'
import { sessionAtom } from '../data/session.ts'
import { AnchoredMenu } from '../ui/AnchoredMenu.tsx'
import { IconButton } from '../ui/Button.tsx'
import { exportBody, type ExportQuestion } from './exportBody.ts'

interface ExportButtonProps {
  readonly screen: ListScreen | ReportScreen
  /** Columns as they stand, in order. */
  readonly seen: readonly Column[]
  /** All there are; those of the screen unless said. */
  readonly all?: readonly Column[]
  /** Rows of the whole filter. */
  readonly total: number
  /** What narrows and orders the rows now. */
  readonly question: () => ExportQuestion
}

/** What is seen as a file: every row of the filter, the columns as they stand or all of them. */
export function ExportButton({ screen, seen, all = screen.columns, total, question }: ExportButtonProps) {
  const guards = useAtomValue(sessionAtom)?.guards
  const navigate = useNavigate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const guard = screen.kind === 'list' ? `${screen.resource}-export` : screen.guard.replace(/-view$/, '-export')
  if (guards?.has(guard) !== true) return null
  const rest = all.filter((column) => !seen.some(({ name }) => name === column.name))
  const start = (format: ExportFormat, columns: readonly Column[]) => {
    const body = exportBody(screen.id, format, columns, question())
    void loadChunk(() => Promise.all([import('./ExportTray.tsx'), import('./exportRuns.ts')])).then(([{ mountTray }, { startExport }]) => {
      mountTray()
      startExport(t(screen.title), body, total)
    })
  }
  const item = (format: ExportFormat, columns: readonly Column[], which: 'seen' | 'all') => ({
    id: `${format} ${which}`, label: t(`export.${format}.${which}`), icon: 'download' as const, onSelect: () => start(format, columns),
  })
  return (
    <>
      <IconButton icon="download" label={t('action.export')} aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)} />
      {anchor !== undefined && (
        <AnchoredMenu
          anchor={anchor}
          label={t('action.export')}
          onClose={() => setAnchor(undefined)}
          items={[
            ...exportFormats.map((format) => item(format, seen, 'seen')),
            ...(rest.length === 0 ? [] : exportFormats.map((format) => item(format, [...seen, ...rest], 'all'))),
            { id: 'earlier', label: t('export.earlier'), icon: 'clock' as const, onSelect: () => void navigate('/exports') },
          ]}
        />
      )}
    </>
  )
}
