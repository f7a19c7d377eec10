import { useAtomValue } from 'jotai'
import type { ChangeLogEntry } from '#api/account.ts'
import { formatDate } from '../app/format.ts'
import { languageAtom, t } from '../app/messages.ts'
import { readChangeLog } from '../data/profile.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './ChangeLogPage.module.css'
import { ReadingFrame } from './ReadingFrame.tsx'

const tones = { NEW: 'positive', IMPROVED: 'info', FIXED: 'neutral' } as const

/** What has changed, version by version; the same list inside the application and, with `layout` plain, for anybody. */
export function ChangeLogPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  if (params['layout'] === 'plain') {
    return (
      <ReadingFrame title={t('page.change-log')}>
        <Releases />
      </ReadingFrame>
    )
  }
  return (
    <div className={css['page']}>
      <h1>{t('page.change-log')}</h1>
      <Releases />
    </div>
  )
}

function Releases() {
  const language = useAtomValue(languageAtom)
  const { value, problem, reload } = useAnswer(language, (signal) => readChangeLog(language, signal))
  if (problem !== undefined) return <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={6} />
  if (value.records.length === 0) return <EmptyState title={t('ui.change-log.none')} />
  return (
    <ol className={css['releases']}>
      {releasesOf(value.records).map(({ version, day, entries }) => (
        <li key={version} className={css['release']}>
          <h2>
            {t('ui.change-log.version', { version })}
            <time dateTime={day}>{formatDate(day)}</time>
          </h2>
          <ul>
            {entries.map((entry, i) => (
              <li key={i} className={css['entry']}>
                <Badge tone={tones[entry.kind]}>{t(`enum.${entry.kind}`)}</Badge>
                <div>
                  <h3>{entry.title}</h3>
                  {entry.body !== null && <p>{entry.body}</p>}
                </div>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

interface Release {
  readonly version: string
  readonly day: string
  readonly entries: readonly ChangeLogEntry[]
}

/** Entries by version, in the order they came. */
export function releasesOf(records: readonly ChangeLogEntry[]): readonly Release[] {
  const releases = new Map<string, { readonly version: string; readonly day: string; readonly entries: ChangeLogEntry[] }>()
  for (const record of records) {
    const release = releases.get(record.version) ?? { version: record.version, day: record.released_at, entries: [] }
    release.entries.push(record)
    releases.set(record.version, release)
  }
  return [...releases.values()]
}
