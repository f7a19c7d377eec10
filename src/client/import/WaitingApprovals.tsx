import type { ImportBatch } from '#api/import.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import css from './Import.module.css'

/** What was imported and counts only once somebody has approved it, with the way there for whoever may look. */
export function WaitingApprovals({ batch: { Waiting = [] } }: { readonly batch: ImportBatch }) {
  return Waiting.map(({ DocType, Count, Path }) => (
    <p key={`${DocType} ${Path}`} role="status" className={css['notice']}>
      {t('import.waiting', { kind: t(`entity.${DocType}`), n: formatNumber(Count) })} {Path !== null && <Link to={Path}>{t('import.waiting-link')}</Link>}
    </p>
  ))
}
