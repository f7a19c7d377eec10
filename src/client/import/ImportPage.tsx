import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ImportScreen } from '#meta/resolved.ts'
import { formatNumber, formatTime } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { languageAtom, t } from '../app/messages.ts'
import type { PageProps } from '../app/pageProps.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { tellFailure } from '../notes/download.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { batchWords, toneOf } from './batchWords.ts'
import { BatchView } from './BatchView.tsx'
import { listBatches, saveTemplate } from './calls.ts'
import css from './Import.module.css'
import { Upload } from './Upload.tsx'

/** An import from template to log. The batch at hand is in the URL: the page may be left and come back to. */
export function ImportPage({ screen }: PageProps<ImportScreen>) {
  const [query, setQuery] = useSearchParams()
  const id = Number(query.get('batch') ?? 0)
  const open = (batch: number | undefined) => setQuery(batch === undefined ? {} : { batch: String(batch) })
  return (
    <section className={css['page']}>
      <header className={css['head']}>
        <h1>{t(screen.title)}</h1>
        {id > 0 && (
          <Button icon="plus" onClick={() => open(undefined)}>
            {t('import.another')}
          </Button>
        )}
      </header>
      {id > 0 ? <BatchView key={id} id={id} screen={screen} onOpen={open} /> : <Start screen={screen} onOpen={open} />}
    </section>
  )
}

interface StartProps {
  readonly screen: ImportScreen
  readonly onOpen: (batch: number) => void
}

function Start({ screen, onOpen }: StartProps) {
  return (
    <>
      <p className={css['hint']}>{t(screen.mode === 'partial' ? 'import.says-partial' : 'import.says-whole')}</p>
      <div className={css['columns']}>
        <Upload screen={screen} onTaken={(batch) => onOpen(batch.ID)} />
        <Template screen={screen} />
      </div>
      <Earlier screen={screen} onOpen={onOpen} />
    </>
  )
}

/** The empty sheet to fill in, and what its columns mean. */
function Template({ screen }: { readonly screen: ImportScreen }) {
  const language = useAtomValue(languageAtom)
  const [current, setCurrent] = useState(screen.sheets[0]?.id ?? '')
  const sheet = screen.sheets.find(({ id }) => id === current)
  const get = async (format: 'xlsx' | 'csv') => {
    const answer = await saveTemplate(screen.id, current, format, language)
    if (!answer.ok) tellFailure(answer.problem)
  }
  return (
    <div className={css['box']}>
      <h2>{t('import.template')}</h2>
      {screen.sheets.length > 1 && <Tabs label={t('import.template')} tabs={screen.sheets.map(({ id, title }) => ({ id, title: t(title) }))} current={current} onSelect={setCurrent} />}
      <div className={css['buttons']}>
        <Button icon="download" onClick={() => void get('xlsx')}>
          {t('import.template-xlsx')}
        </Button>
        <Button icon="download" onClick={() => void get('csv')}>
          {t('import.template-csv')}
        </Button>
      </div>
      <details>
        <summary>{t('import.columns', { n: sheet?.columns.length ?? 0 })}</summary>
        <ul className={css['fields']}>
          {sheet?.columns.map((column) => (
            <li key={column.name}>
              <strong>{column.name}</strong>
              {column.required && <span className={css['star']}>*</span>} <span className={css['hint']}>{t(column.label)}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function Earlier({ screen, onOpen }: StartProps) {
  const { value, problem, reload } = useAnswer(screen.id, (signal) => listBatches(screen.id, signal))
  const isUnderWay = value?.records.some(({ Work }) => Work !== null) === true
  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(reload, 2_000)
    return () => clearInterval(timer)
  }, [isUnderWay, reload])
  return (
    <section className={css['earlier']} aria-label={t('import.earlier')}>
      <h2>{t('import.earlier')}</h2>
      {problem !== undefined && value === undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={4} />
      ) : value.records.length === 0 ? (
        <EmptyState icon="file" title={t('import.none')} />
      ) : (
        <ul className={css['list']}>
          {value.records.map((batch) => (
            <li key={batch.ID} className={css['batch']}>
              <button type="button" className={css['name']} onClick={() => onOpen(batch.ID)}>
                {batch.FileName}
              </button>
              <Badge tone={toneOf(batch)}>{batchWords(batch)}</Badge>
              <span className={css['facts']}>
                {t('import.facts', { code: batch.Code, by: batch.UserName, at: formatTime(batch.CreatedAt), imported: formatNumber(batch.RowsImported), total: formatNumber(batch.RowsTotal) })}
              </span>
              <Link to={`/pages/import-log/${batch.ID}`}>{t('import.log')}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
