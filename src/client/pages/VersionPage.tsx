import { appCommit, appVersion } from '../app/build.ts'
import { t } from '../app/messages.ts'
import { readVersion } from '../data/profile.ts'
import { useAnswer } from '../data/useAnswer.ts'
import facts from './Facts.module.css'
import { ReadingFrame } from './ReadingFrame.tsx'

/** What is running, for whoever asks support. */
export function VersionPage() {
  const { value, problem } = useAnswer('version', (signal) => readVersion(signal))
  const server = (text: string | undefined): string => text ?? (problem === undefined ? '…' : problem.text)
  const rows: readonly (readonly [label: string, value: string])[] = [
    [t('ui.version.app'), appVersion],
    [t('ui.version.commit'), appCommit],
    [t('ui.version.server'), server(value?.version)],
    [t('ui.version.server-commit'), server(value?.commit)],
    [t('ui.version.migration'), server(value === undefined ? undefined : String(value.migration))],
    [t('ui.version.database'), server(value === undefined ? undefined : t(`ui.version.database.${value.database}`))],
  ]
  return (
    <ReadingFrame title={t('page.version')}>
      <dl className={facts['facts']}>
        {rows.map(([label, shown]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{shown}</dd>
          </div>
        ))}
      </dl>
      <a href="/pages/change-log">{t('page.change-log')}</a>
    </ReadingFrame>
  )
}
