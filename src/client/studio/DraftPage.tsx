import { Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { StudioCheck, StudioDraft, StudioMaterial } from '#api/studio.ts'
import { mostPreviewed } from '#api/studio.ts'
import { composedIn, textOf } from '#meta/authoring/compose.ts'
import type { Help } from '#meta/authoring/complete.ts'
import type { Finding } from '#meta/check/finding.ts'
import { reportTextNow } from '#meta/renames.ts'
import { loadChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { LeaveGuard } from '../form/LeaveGuard.tsx'
import { ReportPage } from '../pages/ReportPage.tsx'
import { ReportAnswersContext, type ReportAnswers } from '../report/reportAnswers.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import page from '../ui/Page.module.css'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import input from '../ui/input.module.css'
import { tooLong } from '../ui/tooLong.ts'
import { Composer } from './Composer.tsx'
import type { EditorHandle } from './JsonEditor.tsx'
import { spoken } from './spoken.ts'
import css from './Draft.module.css'
import { checkSource, previewSource, readDraft, readMaterial, readWork, saveDraft } from './studioCalls.ts'

const JsonEditor = lazy(() => import('./JsonEditor.tsx').then((module) => ({ default: module.JsonEditor })))
const ShareDialog = lazy(() => import('./ShareDialog.tsx').then((module) => ({ default: module.ShareDialog })))
const ProposeDialog = lazy(() => import('./ProposeDialog.tsx').then((module) => ({ default: module.ProposeDialog })))

/** How long typing rests before the text is checked. */
const restMs = 350

/** One draft: what the dataset has, the JSON, and the report itself beside each other. */
export function DraftPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const id = params['id'] ?? ''
  const draft = useAnswer(`draft ${id}`, (signal) => readDraft(id, signal))
  const material = useAnswer('studio material', (signal) => readMaterial(signal))
  const problem = draft.problem ?? material.problem
  if (problem !== undefined && (draft.value === undefined || material.value === undefined)) {
    return (
      <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={draft.reload}>
        <Link to="/studio">{t('page.studio')}</Link>
      </ErrorState>
    )
  }
  if (draft.value === undefined || material.value === undefined) return <Skeleton lines={12} />
  return <Workbench key={id} draft={draft.value.record} material={material.value} />
}

function Workbench({ draft, material }: { readonly draft: StudioDraft; readonly material: StudioMaterial }) {
  const [kept, setKept] = useState(draft)
  const [name, setName] = useState(draft.Name)
  // A draft kept under names its dataset no longer has goes on under those of today.
  const [followed] = useState(() => reportTextNow(material.datasets.find(({ ID }) => ID === composedIn(draft.Source)?.['dataset'])?.Renamed, draft.Source))
  const [text, setText] = useState(followed.text)
  const [isBusy, setBusy] = useState(false)
  const [open, setOpen] = useState<'share' | 'propose'>()
  const help = useHelp(material)
  const work = useAnswer('studio work', (signal) => readWork(signal))
  const proposal = work.value?.proposals.find(({ DraftID, State }) => DraftID === draft.ID && State !== 'WITHDRAWN')
  const editor = useRef<EditorHandle>(null)
  const nameId = useId()
  const report = useMemo(() => composedIn(text), [text])
  const dataset = material.datasets.find(({ ID }) => ID === report?.['dataset'])
  const { check, problem, sound } = useCheck(text)
  const long = tooLong(name, 80)
  const isDirty = text !== kept.Source || name.trim() !== kept.Name

  useEffect(() => {
    if (followed.old.length > 0) void notify({ tone: 'info', text: t('studio.names-moved', { names: followed.old.join(', ') }), lasts: 8000 })
  }, [followed])

  const save = async (): Promise<StudioDraft | undefined> => {
    if (!isDirty) return kept
    if (long !== undefined) {
      document.getElementById(nameId)?.focus()
      return undefined
    }
    setBusy(true)
    const answer = await saveDraft(kept, { Name: name, Source: text })
    setBusy(false)
    if (!answer.ok) {
      void notify({ tone: 'error', text: answer.problem.errors[0]?.text ?? answer.problem.text })
      return undefined
    }
    setKept(answer.value.record)
    // Whoever went on typing meanwhile keeps what he typed.
    setName((typed) => (typed === name ? answer.value.record.Name : typed))
    return answer.value.record
  }
  const saveAndSay = async () => {
    if ((await save()) !== undefined) void notify({ tone: 'success', text: t('studio.saved') })
  }
  // Colleagues and reviewers see what is kept, so it is kept first.
  const begin = async (deed: 'share' | 'propose') => {
    if ((await save()) !== undefined) setOpen(deed)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    void saveAndSay()
  }
  const errors = check?.findings.filter(({ severity }) => severity === 'error').length ?? 0
  return (
    <section className={page['page']} aria-label={t('page.studio-draft')} onKeyDown={press}>
      <header className={page['head']}>
        <h1 className="visually-hidden">{t('page.studio-draft')}</h1>
        <label className="visually-hidden" htmlFor={nameId}>
          {t('studio.name')}
        </label>
        <input id={nameId} className={classes(input['input'], css['name'])} value={name} aria-invalid={long !== undefined || undefined} aria-describedby={`${nameId}-state`} onChange={(event) => setName(event.target.value)} />
        <span id={`${nameId}-state`} className={classes(css['state'], long !== undefined && input['problem'])} role="status">
          {long ?? t(isDirty ? 'studio.unsaved' : 'studio.is-saved')}
        </span>
        <div className={css['tools']}>
          <Button icon="save" busy={isBusy} disabled={!isDirty} onClick={() => void saveAndSay()}>
            {t('ui.save')}
          </Button>
          <Button icon="user" disabled={isBusy} onClick={() => void begin('share')}>
            {t('studio.share')}
          </Button>
          <Button look="primary" icon="approval" disabled={isBusy || check === undefined || errors > 0} onClick={() => void begin('propose')}>
            {t('studio.propose')}
          </Button>
        </div>
      </header>
      {proposal !== undefined && (
        <p className={css['proposed']} role="note">
          {proposal.State === 'PUBLISHED' ? t('studio.draft-is-published', { path: proposal.Path }) : t('studio.draft-is-proposed', { at: saidTime(proposal.CreatedAt) })}{' '}
          {proposal.State === 'PUBLISHED' ? <Link to={proposal.Path}>{t('studio.open-published')}</Link> : <Link to="/studio">{t('studio.see-proposals')}</Link>}
        </p>
      )}
      <div className={css['panes']}>
        <section className={css['pane']} aria-label={t('studio.compose')}>
          <h2>{t('studio.compose')}</h2>
          {report === undefined ? (
            <EmptyState icon="warning" title={t('studio.not-json')} />
          ) : dataset === undefined ? (
            <EmptyState icon="database" title={t('studio.unknown-dataset')} />
          ) : (
            <Composer dataset={dataset} report={report} onChange={(next) => setText(textOf(next))} />
          )}
        </section>
        <section className={classes(css['pane'], css['source'])} aria-label={t('studio.json')}>
          <h2>{t('studio.json')}</h2>
          <div className={css['editor']}>
            <Suspense fallback={<Skeleton lines={10} />}>
              <JsonEditor ref={editor} text={text} label={t('studio.json')} suggestions={t('studio.suggestions')} findings={check?.findings ?? none} help={help} onChange={setText} />
            </Suspense>
          </div>
          <Findings findings={check?.findings} problem={problem} onGo={({ line, column }) => editor.current?.goTo(line, column)} />
        </section>
        <section className={classes(css['pane'], css['preview'])} aria-label={t('studio.preview')}>
          {sound === undefined ? <EmptyState icon="chart" title={t(check === undefined ? 'studio.checking' : 'studio.no-preview')} /> : <Preview name={name} sound={sound} isStale={check !== undefined && check.screen === undefined} />}
        </section>
      </div>
      <Suspense>
        {open === 'share' && <ShareDialog draft={kept} onClose={() => setOpen(undefined)} onShared={setKept} />}
        {open === 'propose' && (
          <ProposeDialog
            draft={kept}
            onClose={() => {
              setOpen(undefined)
              work.reload()
            }}
          />
        )}
      </Suspense>
      <LeaveGuard isDirty={isDirty} text={t('studio.leave-text')} />
    </section>
  )
}

const none: readonly Finding[] = []

/** What the editor completes and explains; fetched beside it. */
function useHelp(material: StudioMaterial): Help | undefined {
  const [help, setHelp] = useState<Help>()
  useEffect(() => {
    let isWanted = true
    // Without it one types unaided.
    void loadChunk(() => import('./reportHelp.ts')).then(({ reportHelp }) => isWanted && setHelp(reportHelp(material)), () => undefined)
    return () => {
      isWanted = false
    }
  }, [material])
  return help
}

interface Sound {
  readonly source: string
  readonly screen: NonNullable<StudioCheck['screen']>
}

/** What the server's check says of the text, a moment after typing rests; `sound`: the last text without errors and its screen. */
function useCheck(text: string): { readonly check: StudioCheck | undefined; readonly problem: string | undefined; readonly sound: Sound | undefined } {
  const [check, setCheck] = useState<StudioCheck>()
  const [problem, setProblem] = useState<string>()
  const [sound, setSound] = useState<Sound>()
  const isFirst = useRef(true)
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      void checkSource(text, stop.signal).then((answer) => {
        if (stop.signal.aborted) return
        setProblem(answer.ok ? undefined : answer.problem.text)
        if (!answer.ok) return
        setCheck(answer.value)
        if (answer.value.screen !== undefined) setSound({ source: text, screen: answer.value.screen })
      })
    }, isFirst.current ? 0 : restMs)
    isFirst.current = false
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  return { check, problem, sound }
}

/** The report as readers will see it, by the renderer of reports; after a mistake the last sound one stays. */
function Preview({ name, sound, isStale }: { readonly name: string; readonly sound: Sound; readonly isStale: boolean }) {
  const shownName = useDeferredValue(name)
  const answers = useMemo((): ReportAnswers => ({
    revision: sound.source,
    most: mostPreviewed,
    rows: (Query, signal) => previewSource(sound.source, { IsSummary: false, Query }, signal),
    summary: (Query, signal) => previewSource(sound.source, { IsSummary: true, Query }, signal),
  }), [sound])
  const screen = useMemo(() => spoken(sound.screen, shownName), [sound, shownName])
  return (
    <>
      {isStale && <p className={css['stale']}>{t('studio.stale')}</p>}
      <ReportAnswersContext value={answers}>
        <ReportPage screen={screen} />
      </ReportAnswersContext>
    </>
  )
}

interface FindingsProps {
  readonly findings: readonly Finding[] | undefined
  readonly problem: string | undefined
  readonly onGo: (finding: Finding) => void
}

/** The findings by place; pressing one goes there. */
function Findings({ findings, problem, onGo }: FindingsProps) {
  if (problem !== undefined) return <p className={css['refused']} role="alert">{problem}</p>
  if (findings === undefined) return <p className={css['quiet']}>{t('studio.checking')}</p>
  if (findings.length === 0) return <p className={css['fine']} role="status">{t('studio.no-findings')}</p>
  return (
    <ul className={css['findings']} aria-label={t('studio.findings')}>
      {findings.map((finding) => (
        <li key={JSON.stringify(finding)}>
          <button type="button" className={css['finding']} onClick={() => onGo(finding)}>
            <span>{`${finding.line}:${finding.column}`}</span>
            <span className={finding.severity === 'error' ? css['error'] : css['warning']}>{t(`studio.severity.${finding.severity}`)}</span>
            <code>{finding.code}</code>
            <span className={css['message']}>{finding.message}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
