import { useAtomValue } from 'jotai'
import { useEffect, useId, useState } from 'react'
import type { ImportScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { languageAtom, t } from '../app/messages.ts'
import type { PageProps } from '../app/pageProps.ts'
import { saidTime } from '../app/saidTime.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { sessionAtom } from '../data/session.ts'
import { tellFailure } from '../notes/download.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { RecordItem, Records, RecordsPage } from '../ui/Records.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { batchWords, toneOf } from './batchWords.ts'
import { BatchView } from './BatchView.tsx'
import { listBatches, logPath, saveTemplate } from './calls.ts'
import css from './Import.module.css'
import { ImportLogPage } from './ImportLogPage.tsx'
import { NamedFiles } from './NamedFiles.tsx'
import { Upload } from './Upload.tsx'
import { Wizard } from '../wizards/host/Wizard.tsx'

/** An import from template to log, step by step. Batch and step are in the URL: the page may be left and come back to. */
export function ImportPage({ screen, params, back }: Pick<PageProps<ImportScreen>, 'screen'> & Partial<Pick<PageProps, 'params'>> & { readonly back?: string }) {
  // The log of its own stands on the address of the import, under the number of the batch.
  if (params?.['id'] !== undefined) return <ImportLogPage params={params} />
  return <Steps screen={screen} {...(back === undefined ? {} : { back })} />
}

function Steps({ screen, back }: { readonly screen: ImportScreen; readonly back?: string }) {
  const [query, setQuery] = useUrlQuery()
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const id = Number(query.get('batch') ?? 0)
  // An import inside a list stays in it.
  const inside = query.get('import')
  const stay = inside === null ? {} : { import: inside }
  const open = (batch: number | undefined) => setQuery(() => new URLSearchParams(batch === undefined ? stay : { ...stay, batch: String(batch) }))
  const first = <Start screen={screen} onOpen={open} />
  // An import made from a list bears its title; one written for it says itself what it is.
  const isOfList = screen.id.endsWith('.list-import')
  return (
    <RecordsPage
      isWide
      title={isOfList ? t('import.of', { list: t(screen.title) }) : t(screen.title)}
      actions={
        <>
          {back !== undefined && <Link to={back}>{t('import.back')}</Link>}
          {id > 0 && (
            <Button icon="plus" onClick={() => open(undefined)}>
              {t('import.another')}
            </Button>
          )}
        </>
      }
    >
      {id > 0 ? (
        <BatchView key={id} id={id} screen={screen} userId={userId} first={first} onOpen={open} />
      ) : (
        <Wizard
          label={t(screen.title)}
          steps={[
            { id: 'file', title: t('import.step.file'), isOpen: true, isAutomatic: true, content: first },
            { id: 'columns', title: t('import.step.columns'), isOpen: false, content: null },
            { id: 'rows', title: t('import.step.rows'), isOpen: false, content: null },
          ]}
        />
      )}
    </RecordsPage>
  )
}

interface StartProps {
  readonly screen: ImportScreen
  readonly onOpen: (batch: number) => void
}

function Start({ screen, onOpen }: StartProps) {
  return (
    <>
      <p className={css['hint']}>{t(screen.sheets[0]?.update !== undefined && screen.sheets[0].updateColumn === undefined ? 'import.says-list' : screen.mode !== 'partial' ? 'import.says-whole' : screen.sheets.some(({ group }) => group.length > 0) ? 'import.says-documents' : 'import.says-partial')}</p>
      <div className={css['columns']}>
        <Upload screen={screen} onTaken={(batch) => onOpen(batch.ID)} />
        <Template screen={screen} />
      </div>
      <NamedFiles screen={screen} />
      <Earlier screen={screen} onOpen={onOpen} />
    </>
  )
}

/** Kinds of rows beyond these do not stand beside each other. */
const mostTabs = 4

/** The empty sheet to fill in, and what its columns mean. */
function Template({ screen }: { readonly screen: ImportScreen }) {
  const language = useAtomValue(languageAtom)
  const id = useId()
  const [current, setCurrent] = useState(screen.sheets[0]?.id ?? '')
  const sheet = screen.sheets.find(({ id }) => id === current)
  const get = async (format: 'xlsx' | 'csv') => {
    const answer = await saveTemplate(screen.id, current, format, language)
    if (!answer.ok) tellFailure(answer.problem)
  }
  return (
    <div className={css['box']}>
      <h2>{t('import.template')}</h2>
      {screen.sheets.length > mostTabs && (
        <Field id={id} label={t('import.form.kind')}>
          <select id={id} className={input['input']} value={current} onChange={(event) => setCurrent(event.target.value)}>
            {screen.sheets.map((one) => (
              <option key={one.id} value={one.id}>
                {t(one.title)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {screen.sheets.length > 1 && screen.sheets.length <= mostTabs && <Tabs label={t('import.template')} tabs={screen.sheets.map(({ id, title }) => ({ id, title: t(title) }))} current={current} onSelect={setCurrent} />}
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
      <Records records={value?.records} problem={problem && { title: t('ui.load-failed'), text: problem.text, onRetry: reload }} empty={{ icon: 'file', title: t('import.none') }}>
        {(batch) => (
          <RecordItem
            key={batch.ID}
            title={
              <button type="button" className={css['name']} onClick={() => onOpen(batch.ID)}>
                {batch.FileName}
              </button>
            }
            badge={<Badge tone={toneOf(batch)}>{batchWords(batch)}</Badge>}
            facts={[t('import.facts', { code: batch.Code, by: batch.UserName, at: saidTime(batch.CreatedAt), imported: formatNumber(batch.RowsImported), total: formatNumber(batch.RowsTotal) })]}
            deeds={<Link to={logPath(screen, batch.ID)}>{t('import.log')}</Link>}
          />
        )}
      </Records>
    </section>
  )
}
