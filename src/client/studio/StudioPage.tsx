import { lazy } from '../app/lazy.tsx'
import { Suspense, useId, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import type { StudioDraft, StudioMaterial } from '#api/studio.ts'
import { understand } from '#meta/authoring/question.ts'
import { today } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { RecordItem, Records, RecordsPage } from '../ui/Records.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { TextBox } from '../ui/TextBox.tsx'
import { goToTooLong } from '../ui/tooLong.ts'
import { ProposalList } from './ProposalList.tsx'
import { answeringText, blankText, freshId, similarText } from './startDraft.ts'
import css from './Studio.module.css'
import { createDraft, deleteDraft, readMaterial, readReportSource, readWork } from './studioCalls.ts'
import { vocabulariesOf } from './vocabulary.ts'

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

/** The analyst's desk: begin a report, go on with a draft, try those of others, see what became of proposals. */
export function StudioPage() {
  const material = useAnswer('studio material', (signal) => readMaterial(signal))
  const work = useAnswer('studio work', (signal) => readWork(signal))
  const [deleting, setDeleting] = useState<StudioDraft>()
  const remove = async (draft: StudioDraft) => {
    setDeleting(undefined)
    const answer = await deleteDraft(draft)
    void notify(answer.ok ? { tone: 'success', text: t('studio.deleted', { name: draft.Name }) } : { tone: 'error', text: answer.problem.text })
    work.reload()
  }
  const problem = material.problem ?? work.problem
  return (
    <RecordsPage title={t('page.studio')} hint={t('studio.about')} isWide tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={work.reload} />}>
      {problem !== undefined && (material.value === undefined || work.value === undefined) ? (
        <ErrorState
          title={t('ui.load-failed')}
          text={problem.text}
          onRetry={() => {
            material.reload()
            work.reload()
          }}
        />
      ) : material.value === undefined || work.value === undefined ? (
        <Skeleton lines={10} />
      ) : (
        <>
          {material.value.datasets.length === 0 ? <EmptyState icon="database" title={t('studio.no-datasets')} /> : <Beginnings material={material.value} />}
          <h2>{t('studio.drafts')}</h2>
          <Records records={work.value.records} empty={{ icon: 'edit', title: t('studio.no-drafts') }}>
            {(draft) => (
              <RecordItem
                key={draft.ID}
                title={<Link to={`/studio/${draft.ID}`}>{draft.Name}</Link>}
                facts={[t('studio.changed', { at: saidTime(draft.UpdatedAt) }), draft.Readers.length === 0 ? undefined : t('studio.tried-by', { names: draft.Readers.map(({ Name }) => Name).join(', ') })]}
                deeds={<IconButton icon="trash" label={t('studio.delete', { name: draft.Name })} onClick={() => setDeleting(draft)} />}
              />
            )}
          </Records>
          {work.value.shared.length > 0 && (
            <>
              <h2>{t('studio.shared')}</h2>
              <Records records={work.value.shared} empty={{ icon: 'edit', title: '' }}>
                {(draft) => <RecordItem key={draft.ID} title={<Link to={`/report-trial/${draft.ID}`}>{draft.Name}</Link>} facts={[t('studio.trial-of', { owner: draft.OwnerName, at: saidTime(draft.UpdatedAt) })]} />}
              </Records>
            </>
          )}
          {work.value.proposals.length > 0 && (
            <>
              <h2>{t('studio.proposals')}</h2>
              <ProposalList records={work.value.proposals} onChanged={work.reload} />
            </>
          )}
        </>
      )}
      <Suspense>
        {deleting !== undefined && (
          <ConfirmDialog
            title={t('studio.delete', { name: deleting.Name })}
            text={t('studio.delete-text')}
            confirm={t('ui.remove')}
            look="negative"
            onConfirm={() => void remove(deleting)}
            onClose={() => setDeleting(undefined)}
          />
        )}
      </Suspense>
    </RecordsPage>
  )
}

/** At most 80 letters, ended at a word. */
function shortName(name: string): string {
  const whole = name.trim()
  return (whole.length <= 80 ? whole : whole.slice(0, 81).replace(/\s\S*$/, '').slice(0, 80)).replace(/[\s,;:.-]+$/, '')
}

/** Three ways to begin: words, a dataset, a report that is there. */
function Beginnings({ material }: { readonly material: StudioMaterial }) {
  const navigate = useNavigate()
  const ids = { question: useId(), dataset: useId(), report: useId() }
  const [question, setQuestion] = useState('')
  const [dataset, setDataset] = useState('')
  const [report, setReport] = useState('')
  const [notUnderstood, setNotUnderstood] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const begin = async (name: string, source: string, left: readonly string[] = []) => {
    setBusy(true)
    const answer = await createDraft(shortName(name), source)
    setBusy(false)
    if (!answer.ok) {
      void notify({ tone: 'error', text: answer.problem.text })
      return
    }
    if (left.length > 0) void notify({ tone: 'info', text: t('studio.not-all-understood', { words: left.join(', ') }) })
    void navigate(`/studio/${answer.value.record.ID}`)
  }
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (goToTooLong(event.currentTarget)) return
    const understood = understand(question, vocabulariesOf(material.datasets), today())
    const found = material.datasets.find(({ ID }) => ID === understood?.dataset)
    if (understood === undefined || found === undefined) return setNotUnderstood(question)
    setNotUnderstood(undefined)
    const name = question.trim()
    return void begin(name.charAt(0).toUpperCase() + name.slice(1), answeringText(freshId(question, found.ID, material), found, understood), understood.left)
  }
  const fromDataset = (event: FormEvent) => {
    event.preventDefault()
    const found = material.datasets.find(({ ID }) => ID === dataset)
    if (found !== undefined) void begin(t(found.Label), blankText(freshId(found.ID, 'report', material), found))
  }
  const fromReport = async (how: 'copy' | 'change') => {
    const found = material.reports.find(({ Screen }) => Screen === report)
    if (found === undefined) return
    const answer = await readReportSource(found.Screen)
    if (answer.ok && how === 'change') await begin(t(found.Title), answer.value.Source)
    else if (answer.ok) await begin(t('studio.copy-of', { report: t(found.Title) }), similarText(answer.value.Source, freshId(found.Screen.replace(/\.report$/, ''), 'report', material)))
    else void notify({ tone: 'error', text: answer.problem.text })
  }
  return (
    <div className={css['ways']}>
      <form className={css['way']} onSubmit={ask}>
        <TextBox
          id={ids.question}
          label={t('studio.ask')}
          hint={t('studio.ask-hint')}
          errors={notUnderstood === undefined ? [] : [t('studio.not-understood', { question: notUnderstood })]}
          longest={200}
          autoComplete="off"
          placeholder={t('studio.ask-example')}
          value={question}
          onChange={setQuestion}
        />
        <Button type="submit" look="primary" icon="chart" busy={isBusy} disabled={question.trim() === ''}>
          {t('studio.begin')}
        </Button>
      </form>
      <form className={css['way']} onSubmit={fromDataset}>
        <Field id={ids.dataset} label={t('studio.from-dataset')} hint={dataset === '' ? t('studio.from-dataset-hint') : t(material.datasets.find(({ ID }) => ID === dataset)?.Grain ?? '')}>
          <select id={ids.dataset} className={input['input']} value={dataset} onChange={(event) => setDataset(event.target.value)}>
            <option value="">{t('studio.choose')}</option>
            {material.datasets.map(({ ID, Label }) => (
              <option key={ID} value={ID}>
                {t(Label)}
              </option>
            ))}
          </select>
        </Field>
        <Button type="submit" icon="plus" busy={isBusy} disabled={dataset === ''}>
          {t('studio.begin-blank')}
        </Button>
      </form>
      <form
        className={css['way']}
        onSubmit={(event) => {
          event.preventDefault()
          void fromReport('copy')
        }}
      >
        <Field id={ids.report} label={t('studio.from-report')} hint={t('studio.from-report-hint')}>
          <select id={ids.report} className={input['input']} value={report} onChange={(event) => setReport(event.target.value)}>
            <option value="">{t('studio.choose')}</option>
            {material.reports.map(({ Screen, Title }) => (
              <option key={Screen} value={Screen}>
                {t(Title)}
              </option>
            ))}
          </select>
        </Field>
        <div className={css['deeds']}>
          <Button type="submit" icon="copy" busy={isBusy} disabled={report === ''}>
            {t('studio.begin-similar')}
          </Button>
          <Button icon="edit" busy={isBusy} disabled={report === ''} onClick={() => void fromReport('change')}>
            {t('studio.begin-change')}
          </Button>
        </div>
      </form>
    </div>
  )
}
