import { useAtomValue } from 'jotai'
import { Fragment, useId, useState, type ReactNode } from 'react'
import type { ImportBatch } from '#api/import.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { inWords, languageAtom, t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import type { Refusal } from '../data/http.ts'
import { tellFailure } from '../notes/download.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { useStepDraft } from '../wizards/host/useStepDraft.ts'
import { Wizard } from '../wizards/host/Wizard.tsx'
import type { WizardStep } from '../wizards/host/steps.ts'
import { batchWords, isWarning, toneOf } from './batchWords.ts'
import { logPath, moveBatch, putReading, saveFailed, type BatchAnswer } from './calls.ts'
import css from './Import.module.css'
import { ReadingStep, type Mapping } from './ReadingStep.tsx'
import { RowsStep } from './RowsStep.tsx'
import { Upload } from './Upload.tsx'
import { WaitingApprovals } from './WaitingApprovals.tsx'
import { useBatch } from './useBatch.ts'

interface BatchViewProps {
  readonly id: number
  readonly screen: ImportScreen
  readonly userId: number
  /** The first step: where files are sent. */
  readonly first: ReactNode
  readonly onOpen: (batch: number | undefined) => void
}

/** One file on its way in, step by step: the file, which of its columns is which, its rows and what is wrong in them. */
export function BatchView({ id, screen, userId, first, onOpen }: BatchViewProps) {
  const { batch, isBusy, problem, reload, set } = useBatch(id)
  if (batch === undefined) return problem === undefined ? <Skeleton lines={8} /> : <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  // What was read anew is chosen anew.
  return <BatchSteps key={JSON.stringify([batch.Form, batch.Mapping, batch.Sheet])} batch={batch} isBusy={isBusy} screen={screen} userId={userId} first={first} onOpen={onOpen} onBatch={set} />
}

interface BatchStepsProps extends Omit<BatchViewProps, 'id'> {
  readonly batch: ImportBatch
  readonly isBusy: boolean
  readonly onBatch: (answer: { readonly record: ImportBatch }) => void
}

function BatchSteps({ batch, isBusy, screen, userId, first, onOpen, onBatch }: BatchStepsProps) {
  const [mapping, setMapping] = useState<Mapping>(batch.Mapping)
  const [isCommitting, setCommitting] = useState(false)
  const [warning, setWarning] = useState<Refusal>()
  const prefix = useId()
  const isFrozen = !batch.Actions.includes('read')
  const draft = useStepDraft(isFrozen ? undefined : `draft:${userId}:import:${batch.ID}`, { mapping }, { mapping: batch.Mapping }, (values) => setMapping(mappingOf(values['mapping'], batch.Heads.length)))
  const sheet = screen.sheets.find((one) => one.id === batch.Sheet) ?? screen.sheets[0]
  const missing = (chosen: Mapping) => sheet?.columns.filter((column) => column.required && !chosen.includes(column.name)) ?? []
  const isChanged = mapping.some((name, i) => name !== batch.Mapping[i])
  const taken = (answer: BatchAnswer): boolean => {
    if (answer.ok) onBatch(answer.value)
    else tellFailure(answer.problem)
    return answer.ok
  }
  const commit = async (acknowledge: readonly string[] = []) => {
    setCommitting(true)
    const answer = await moveBatch(batch.ID, 'commit', acknowledge)
    setCommitting(false)
    setWarning(undefined)
    if (!answer.ok && answer.problem.warnings.length > 0) return setWarning(answer.problem)
    // The button it was begun with leaves with the rows.
    if (taken(answer)) void loadChunk(() => import('../table/goOnFrom.ts')).then(({ goOnFrom }) => goOnFrom(null))
    return undefined
  }
  const isAlive = batch.Status !== 5 && batch.Status !== 6
  // What could not be read may be read otherwise: as another sheet, with other signs.
  const isReadable = isAlive || !isFrozen
  const work = isBusy ? <Working batch={batch} onTaken={taken} /> : undefined
  const idOf = (place: number) => `${prefix}-${place}`
  const steps: readonly WizardStep[] = [
    // From a file that came to nothing no way leads on.
    { id: 'file', title: t('import.step.file'), isOpen: true, isAutomatic: !isReadable, content: first },
    {
      id: 'columns',
      title: t('import.step.columns'),
      isOpen: isReadable,
      check: () => {
        if (!isAlive) return [{ text: inWords(batch.Problem ?? { text: '' }) }]
        if (batch.Doubt !== null && !isFrozen) return [{ text: t('import.doubt', { text: batch.Doubt }) }]
        const open = batch.Heads.findIndex((_, i) => mapping[i] === null || mapping[i] === undefined)
        return missing(mapping).map(({ name, label }) => ({ text: t('import.column-missing', { column: name, label: t(label) }), fieldId: idOf(Math.max(0, open)) }))
      },
      leave: async () => !isChanged || taken(await putReading(batch.ID, { mapping: batch.Heads.map((_, i) => mapping[i] ?? null) })),
      content: work ?? (sheet !== undefined && <ReadingStep batch={batch} screen={screen} sheet={sheet} mapping={mapping} onMapping={setMapping} idOf={idOf} onTaken={taken} />),
    },
    {
      id: 'rows',
      title: t('import.step.rows'),
      // Rows as they were read with another choice of columns are not those that would be imported.
      isOpen: isAlive && (isBusy || batch.Status !== 1 || missing(batch.Mapping).length === 0) && (isFrozen || !isChanged),
      count: formatNumber(batch.RowsTotal),
      content: work ?? (sheet !== undefined && <RowsStep batch={batch} sheet={sheet} onTaken={taken} />),
    },
  ]
  const ready = batch.RowsRight + batch.RowsWarned
  const mayCommit = batch.Work === null && batch.Actions.includes('commit')
  return (
    <>
      <Summary batch={batch} screen={screen} onTaken={taken} onOpen={onOpen} />
      <Wizard
        label={t(screen.title)}
        steps={steps}
        start={((missing(batch.Mapping).length > 0 || batch.Doubt !== null) && batch.Status === 1) || (!isAlive && isReadable) ? 1 : 2}
        draft={draft}
        isDirty={isChanged && !isFrozen}
        finish={mayCommit ? { label: ready === 1 ? t('import.commit-one') : t('import.commit', { n: formatNumber(ready) }), isBusy: isCommitting, run: () => commit() } : undefined}
      />
      {warning !== undefined && (
        <ConfirmDialog
          title={t('import.same-title')}
          text={warning.warnings.map(({ text }) => text).join(' ')}
          confirm={t('import.anyway')}
          busy={isCommitting} onConfirm={() => void commit(warning.warnings.map(({ id }) => id))} onClose={() => setWarning(undefined)}
        />
      )}
    </>
  )
}

/** A kept choice of columns, as far as it still is one. */
function mappingOf(kept: unknown, heads: number): Mapping {
  const list: readonly unknown[] = Array.isArray(kept) ? kept : []
  return Array.from({ length: heads }, (_, i) => (typeof list[i] === 'string' ? list[i] : null))
}

interface PartProps {
  readonly batch: ImportBatch
  readonly onTaken: (answer: BatchAnswer) => boolean
}

/** How far it is, and a way to stop it. */
function Working({ batch, onTaken }: PartProps) {
  const { Work, RowsDone, RowsTotal, ID } = batch
  const share = RowsTotal === 0 ? undefined : Math.min(1, RowsDone / RowsTotal)
  return (
    <div className={css['box']} role="status">
      <p>{t(`import.work.${Work ?? 'READ'}`)}</p>
      <progress className={css['bar']} aria-label={t(`import.work.${Work ?? 'READ'}`)} {...(share === undefined ? {} : { value: share })} />
      <p className={css['hint']}>{RowsTotal === 0 ? t('import.rows-read', { n: formatNumber(RowsDone) }) : t('import.rows-of', { done: formatNumber(RowsDone), total: formatNumber(RowsTotal) })}</p>
      <p className={css['hint']}>{t('import.background')}</p>
      <div className={css['buttons']}>
        <Button onClick={() => void moveBatch(ID, 'cancel').then(onTaken)}>{t('import.stop')}</Button>
      </div>
    </div>
  )
}

function Summary({ batch, screen, onTaken, onOpen }: PartProps & { readonly screen: ImportScreen; readonly onOpen: (batch: number | undefined) => void }) {
  const language = useAtomValue(languageAtom)
  const [asking, setAsking] = useState<'undo' | 'cancel'>()
  const [isRetrying, setRetrying] = useState(false)
  const [busy, setBusy] = useState(false)
  const may = (action: ImportBatch['Actions'][number]): boolean => batch.Work === null && batch.Actions.includes(action)
  const move = async (action: 'cancel' | 'undo') => {
    setBusy(true)
    const answer = await moveBatch(batch.ID, action)
    setBusy(false)
    setAsking(undefined)
    onTaken(answer)
  }
  const failed = async (format: 'xlsx' | 'csv') => {
    const answer = await saveFailed(batch.ID, format, language)
    if (!answer.ok) tellFailure(answer.problem)
  }
  const title = screen.sheets.find(({ id }) => id === batch.Sheet)?.title
  const counts = [
    { key: 'right', tone: 'positive', n: batch.RowsRight }, { key: 'warned', tone: 'warning', n: batch.RowsWarned }, { key: 'wrong', tone: 'negative', n: batch.RowsWrong },
    { key: 'skipped', tone: 'neutral', n: batch.RowsSkipped }, { key: 'imported', tone: 'positive', n: batch.RowsImported },
  ] as const
  return (
    <div className={css['box']}>
      <div className={css['summary']}>
        <strong className={css['file']}>{batch.FileName}</strong>
        {screen.sheets.length > 1 && title !== undefined && <Badge>{t(title)}</Badge>}
        <Badge tone={toneOf(batch)}>{batchWords(batch)}</Badge>
        {counts.filter(({ n }) => n > 0).map(({ key, tone, n }) => (
          <Badge key={key} tone={tone}>
            {t(`import.count.${key}`, { n: formatNumber(n) })}
          </Badge>
        ))}
      </div>
      <p className={css['hint']}>
        {t('import.taken', { code: batch.Code, by: batch.UserName, at: saidTime(batch.CreatedAt) })}{' '}
        <Link to={logPath(screen, batch.ID)}>{t('import.log')}</Link>
        {[batch.RetryOf, batch.RetriedBy].map(
          (other, i) =>
            other !== null && (
              <Fragment key={i}>
                {' · '}
                <button type="button" className={css['value']} onClick={() => onOpen(other.ID)}>
                  {t(i === 0 ? 'import.retry-of' : 'import.retried-by', { code: other.Code })}
                </button>
              </Fragment>
            ),
        )}
      </p>
      {batch.SameAs !== null && batch.Status !== 3 && (
        <p className={css['notice']}>{t('import.same-file', { code: batch.SameAs.Code, by: batch.SameAs.By, at: saidTime(batch.SameAs.At) })}</p>
      )}
      {batch.Problem !== null && (
        <p role="alert" className={css[isWarning(batch) ? 'notice' : 'problem']}>
          {inWords(batch.Problem)}
        </p>
      )}
      <WaitingApprovals batch={batch} />
      {batch.RowsImported > 0 && !screen.undo && <p className={css['hint']}>{t(screen.sheets[0]?.update === undefined ? 'import.no-undo.answers' : 'import.no-undo.changes')}</p>}
      <div className={css['buttons']}>
        {may('failed') && (
          <>
            <Button icon="download" onClick={() => void failed('xlsx')}>
              {t('import.failed-xlsx')}
            </Button>
            <Button icon="download" onClick={() => void failed('csv')}>
              {t('import.failed-csv')}
            </Button>
            <Button icon="refresh" aria-expanded={isRetrying} onClick={() => setRetrying(!isRetrying)}>
              {t('import.retry')}
            </Button>
          </>
        )}
        {may('undo') && (
          <Button icon="undo" onClick={() => setAsking('undo')}>
            {t('import.undo')}
          </Button>
        )}
        {may('cancel') && <Button onClick={() => setAsking('cancel')}>{t('import.discard')}</Button>}
      </div>
      {isRetrying && <Upload screen={screen} retryOf={batch.ID} onTaken={(next) => onOpen(next.ID)} />}
      {asking !== undefined && (
        <ConfirmDialog
          title={t(asking === 'undo' ? 'import.undo' : 'import.discard')}
          text={t(asking === 'undo' ? 'import.undo-text' : 'import.discard-text', { n: formatNumber(batch.RowsImported) })}
          confirm={t(asking === 'undo' ? 'import.undo' : 'import.discard')}
          look="negative" busy={busy} onConfirm={() => void move(asking)} onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}
