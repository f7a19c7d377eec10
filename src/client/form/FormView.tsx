import { Fragment, memo, Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { formatMoney, formatNumber } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { inWords, t, tFirst } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { saidClock, saidTime } from '../app/saidTime.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { labelOf } from '../data/around.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { RecordFailure } from '../pages/RecordFailure.tsx'
import { useAtRest } from '../ui/pointer.ts'
import { Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { StepButtons } from './StepButtons.tsx'
import { useOpenTab } from './useOpenTab.ts'
import { holds } from './conditions.ts'
import { FormContext, fieldId } from './FormContext.ts'
import { FormGrid } from './FormGrid.tsx'
import { FormHost } from './FormHost.tsx'
import css from './FormView.module.css'
import { isEditable, isSectionVisible, openFields, statusOf } from './formModel.ts'
import { say } from './message.ts'
import { ProposedChanges } from './useForm.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import type { FormScreen } from '#meta/resolved.ts'
import type { ScreenModule } from '#meta/screenModule.ts'
import type { ProposedChanges as Proposed } from '#api/approval.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormSession } from './formSession.ts'
import type { Values } from './formModel.ts'
import type { FormState, Problem } from './formState.ts'

const ConflictDialog = lazy(async () => ({ default: (await import('./ConflictDialog.tsx')).ConflictDialog }))
const DiscardButton = lazy(async () => ({ default: (await import('./DiscardButton.tsx')).DiscardButton }))
const LineTrace = lazy(async () => ({ default: (await import('./LineTrace.tsx')).LineTrace }))
const Obstacles = lazy(async () => ({ default: (await import('../app/Obstacles.tsx')).Obstacles }))
const WarningsDialog = lazy(async () => ({ default: (await import('./WarningsDialog.tsx')).WarningsDialog }))

interface FormViewProps {
  readonly session: FormSession
  readonly module: ScreenModule
  readonly validation: FormValidation
  readonly userId: number
  /** In a side panel: title and close button are the panel's. */
  readonly inPanel: boolean
  readonly canSave: boolean
  readonly canDo: (guard: string) => boolean
  readonly onCancel: () => void
  /** Beside the heading: what belongs to the record and not to the form. */
  readonly aside?: ReactNode
}

/** A form as it is seen: draft offer, problems, sections, lines, totals and the buttons. Ctrl+S saves, Ctrl+Enter saves and submits. */
export function FormView({ session, module, validation, userId, inPanel, canSave, canDo, onCancel, aside }: FormViewProps) {
  const { screen } = session
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const prefix = useId()
  const tabs = tabsOf(screen)
  const [tab, setTab] = useOpenTab(screen.steps === true && !inPanel, tabs)
  const readOnly = !canSave || !isEditable(state.record, screen)
  const open = openFields(state.record, screen)
  const shared = useMemo(() => ({ session, userId, prefix, readOnly, open, tab }), [session, userId, prefix, readOnly, open, tab])
  const proposed = useAtRest(state.record?.['Proposed'] as Proposed | null | undefined)
  const { store } = session
  // What is typed may decide which there are; the form is laid out anew only where it does.
  const missing = useSyncExternalStore(store.onChange, () => module.transitions.flatMap(({ when }, i) => (when === undefined || holds(when, store.values, store.around) ? [] : [i])).join())
  const isMissing = (i: number) => missing.split(',').includes(String(i))
  const actions = readOnly ? [] : module.transitions.filter((action, i) => screen.transitions.includes(action.action) && !action.system && canDo(action.guard) && action.from.includes(statusOf(state.record)) && !isMissing(i))

  const save = async (action?: string) => {
    await session.save(action)
    const [first] = session.state.problems
    if (first !== undefined) jump(first)
  }
  const jump = (problem: Problem) => jumpTo(problem, { session, prefix, screen, setTab })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || readOnly) return
    if (event.key.toLowerCase() === 's') {
      event.preventDefault()
      void save()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void save(actions[0]?.action)
    }
  }
  // Ctrl+S must not open the browser's own dialog wherever the focus is.
  useLayoutEffect(() => {
    const stop = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's' && !event.defaultPrevented) {
        event.preventDefault()
        if (!readOnly) void session.save()
      }
    }
    window.addEventListener('keydown', stop)
    return () => window.removeEventListener('keydown', stop)
  }, [session, readOnly])

  const refusal = useAtRest(state.refusal)
  const problems = useAtRest(state.problems)
  usePageName(inPanel || state.record === undefined ? undefined : labelOf(state.record))
  const form = useRef<HTMLDivElement>(null)
  useTyping(form, session, state.phase === 'ready' && !readOnly)
  useFirstField(form, session.isNew && !readOnly && state.phase === 'ready' && state.draft === undefined)

  if (state.phase === 'failed') return <RecordFailure title={t('ui.form.notLoaded')} problem={state.refusal} entity={screen.entity} inPanel={inPanel} onRetry={() => void session.open()} />
  if (state.phase === 'loading') return <Skeleton lines={8} />
  return (
    <FormContext value={shared}>
      <div ref={form} className={css['form']} data-keys={readOnly ? undefined : 'form'} onKeyDown={onKeyDown} onBlur={session.typed}>
        {inPanel ? aside !== undefined && <div className={css['aside']}>{aside}</div> : <Heading module={module} record={state.record} aside={aside} />}
        {state.draft !== undefined && !readOnly && (
          <div className={css['draft']} role="status">
            <p>{t('ui.draft.found', { time: saidTime(state.draft.at) })}</p>
            <Button onClick={() => session.restoreDraft()}>{t('ui.draft.restore')}</Button>
            <Button look="plain" onClick={() => session.dropDraft()}>
              {t('ui.draft.drop')}
            </Button>
          </div>
        )}
        {readOnly && (
          <p className={css['closed']}>
            {t(canSave ? 'ui.form.closed' : 'ui.form.onlyRead')} {canSave && state.draft !== undefined && t('ui.form.notTaken')}
          </p>
        )}
        {proposed != null && (
          <Suspense>
            <ProposedChanges proposed={proposed} onWithdrawn={() => void session.open()} />
          </Suspense>
        )}
        <Summary refusal={refusal} problems={problems} onJump={jump} />
        {tabs.length > 1 && tab !== undefined ? (
          <Tabs tabs={tabs.map((one) => ({ ...one, ...countOf(state, screen, one.id) }))} current={tab} onSelect={setTab} label={t(screen.title)}>
            <FormHost validation={validation} />
            {screen.steps === true && <StepButtons tabs={tabs} current={tab} onSelect={setTab} />}
          </Tabs>
        ) : (
          <div className={css['sections']}>
            <FormHost validation={validation} />
          </div>
        )}
        {session.lines !== undefined && screen.lines !== undefined && (
          <FormGrid lines={screen.lines} label={tFirst([`section.${screen.id}.lines`, `tab.${screen.lines.name}`], t('ui.grid.title'))}>
            <div className={css['below']}>
              <Hints hints={state.hints} />
              <Totals screen={screen} state={state} typed={store.values} />
            </div>
          </FormGrid>
        )}
        {screen.lines?.trace !== undefined && state.traced.length > 0 && (
          <Suspense>
            <LineTrace lines={state.traced} trace={screen.lines.trace} />
          </Suspense>
        )}
        {!readOnly && (
          <footer className={css['actions']}>
            {problems.length > 0 && <NextProblem problems={problems} onJump={jump} />}
            <p className={css['kept']} role="status">
              {state.isDirty ? (state.keptAt === undefined ? t('ui.form.unsaved') : t('ui.draft.kept', { time: saidClock(state.keptAt) })) : ''}
            </p>
            {state.isDirty && !session.isNew && (
              <Suspense>
                <DiscardButton session={session} />
              </Suspense>
            )}
            <Button onClick={onCancel}>{t('ui.cancel')}</Button>
            {(screen.trial === undefined || canDo(`${screen.resource}-create`)) && (
              <Button look={actions.length === 0 ? 'primary' : 'default'} busy={state.busy === 'saving'} disabled={state.busy !== false} onClick={() => void save()} title="Ctrl+S">
                {t(screen.trial ?? 'ui.save')}
              </Button>
            )}
            {actions.map((action, i) => (
              <Button
                key={action.action}
                look={i === actions.length - 1 ? 'primary' : 'default'}
                busy={state.busy === action.action}
                disabled={state.busy !== false}
                onClick={() => void save(action.action)}
                title={i === 0 ? 'Ctrl+Enter' : undefined}
              >
                {tFirst([`ui.form.saveAnd.${action.action}`], t('ui.form.saveAnd', { action: t(action.label) }))}
              </Button>
            ))}
          </footer>
        )}
      </div>
      <Suspense>
        {state.warnings.length > 0 && <WarningsDialog warnings={state.warnings} onContinue={() => void session.acknowledge()} onClose={() => session.dismissWarnings()} />}
        {state.clash !== undefined && <ConflictDialog session={session} clash={state.clash} onClose={() => session.dismissClash()} />}
      </Suspense>
    </FormContext>
  )
}

/**
 * The first key typed into an input makes the form unsaved. Inputs keep their keys to themselves, so it is heard at the window, and told once
 * the input has taken it: drawing the form before would give an input its old text back.
 */
function useTyping(form: RefObject<HTMLDivElement | null>, session: FormSession, isOpen: boolean): void {
  // What the first key brings up is there by then: fetched with the key, it would be waited for.
  useEffect(() => (isOpen ? afterPaint(() => void DiscardButton.preload()) : undefined), [isOpen])
  // From the moment the inputs stand: what is typed before the record has been read would not be known to be at stake.
  useLayoutEffect(() => {
    const { current } = form
    if (!isOpen || current === null) return undefined
    const onInput = ({ target }: Event) => {
      // Every key comes here; only the first has something to tell, and what is typed while the form is being saved.
      if (session.state.isDirty && session.state.busy === false) return
      if (!(target instanceof Node) || !current.contains(target) || (target instanceof HTMLInputElement && target.type === 'search')) return
      session.begins()
      timer = window.setTimeout(session.typing)
    }
    let timer = 0
    window.addEventListener('input', onInput, { capture: true })
    return () => {
      window.clearTimeout(timer)
      window.removeEventListener('input', onInput, { capture: true })
    }
  }, [form, session, isOpen])
}

/** A new record opens with the cursor in its first empty field: one types at once. Not on touch screens, where it would raise the keyboard. */
function useFirstField(form: RefObject<HTMLDivElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen || !window.matchMedia('(pointer: fine)').matches) return
    const inputs = form.current?.querySelectorAll<HTMLInputElement>('input:not([disabled], [readonly], [type=checkbox]), textarea:not([disabled], [readonly])') ?? []
    for (const input of inputs) {
      if (input.value !== '') continue
      input.focus()
      return
    }
  }, [form, isOpen])
}

/** Drawn anew with its record, not with what is typed. */
const Heading = memo(function Heading({ module, record, aside }: { readonly module: ScreenModule; readonly record: WireRecord | undefined; readonly aside: ReactNode }) {
  const status = record?.['Status']
  const choice = module.states.find((one) => one.value === status)
  const code = record?.['Code']
  return (
    <header className={css['heading']}>
      <h1>
        {t(module.screen.title)}
        {typeof code === 'string' && <span className={css['code']}> {code}</span>}
      </h1>
      {choice !== undefined && <Badge tone={choice.tone}>{t(choice.label)}</Badge>}
      {aside !== undefined && <div className={css['aside']}>{aside}</div>}
    </header>
  )
})

/** Why nothing was saved: the refusal in words and every problem as a jump to its place. */
function Summary({ refusal, problems, onJump }: { readonly refusal: FormState['refusal']; readonly problems: FormState['problems']; readonly onJump: (problem: Problem) => void }): ReactNode {
  if (refusal === undefined && problems.length === 0) return null
  return (
    <div className={css['summary']} role="alert">
      <p>{refusal !== undefined && (problems.length === 0 || refusal.code !== 'VALIDATION_FAILED') ? refusal.text : t('ui.form.problems', { count: problems.length })}</p>
      {refusal?.obstacles !== undefined && (
        <Suspense>
          <Obstacles obstacles={refusal.obstacles} beside />
        </Suspense>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, 20).map((problem, i) => (
            <li key={i}>
              <button type="button" onClick={() => onJump(problem)}>
                {problem.label !== '' && (
                  <strong>
                    {problem.line !== undefined && `${t('ui.grid.line')} ${problem.line}, `}
                    {t(problem.label)}:{' '}
                  </strong>
                )}
                {say(problem.message, t)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Steps through the problems from wherever the page is scrolled to. */
function NextProblem({ problems, onJump }: { readonly problems: readonly Problem[]; readonly onJump: (problem: Problem) => void }) {
  const [at, setAt] = useState(0)
  return (
    <Button
      look="negative"
      icon="warning"
      onClick={() => {
        const next = problems[(at + 1) % problems.length]
        setAt((at + 1) % problems.length)
        if (next !== undefined) onJump(next)
      }}
    >
      {t('ui.form.nextProblem', { count: problems.length })}
    </Button>
  )
}

/** Told before it is submitted: what will need somebody's approval, what only has to be confirmed, and what is only to be known. */
function Hints({ hints }: { readonly hints: FormState['hints'] }) {
  return (
    <div role="status" className={css['hints']}>
      {(['ui.form.hints', 'ui.form.hints-warning', 'ui.form.hints-note'] as const).map((heading) => {
        const some = hints.filter(({ isWarning, isNote }) => heading === (isNote === true ? 'ui.form.hints-note' : isWarning === true ? 'ui.form.hints-warning' : 'ui.form.hints'))
        if (some.length === 0) return null
        return (
          <Fragment key={heading}>
            <p>{t(heading)}</p>
            <ul>
              {some.map((hint) => (
                <li key={hint.code + hint.text}>
                  <Badge tone="warning">{tFirst([`check.${hint.code}`], hint.code)}</Badge> {inWords(hint)}
                </li>
              ))}
            </ul>
          </Fragment>
        )
      })}
    </div>
  )
}

/** What the server adds up; what is typed itself stands in no answer of its. */
function Totals({ screen, state, typed }: { readonly screen: FormScreen; readonly state: FormState; readonly typed: Values }) {
  if (screen.totals.length === 0) return null
  const last = screen.totals.at(-1)
  return (
    <dl className={css['totals']} aria-busy={state.computing === 'asked' || undefined} data-stale={state.computing === 'refused' || undefined}>
      {screen.totals.map((field) => (
        <div key={field.name} className={field === last ? css['grand'] : undefined}>
          <dt>{t(field.label)}</dt>
          <dd>{(field.type === 'money' ? formatMoney : formatNumber)(state.totals[field.wire] ?? typed[field.wire] ?? '0')}</dd>
        </div>
      ))}
    </dl>
  )
}

function tabsOf(screen: FormScreen): readonly { readonly id: string; readonly title: string }[] {
  const tabs = new Map<string, string>()
  for (const section of screen.sections) {
    if (section.tab === undefined || tabs.has(section.tab)) continue
    tabs.set(section.tab, section.tabTitle === undefined ? tFirst([`tab.${screen.id}.${section.tab}`, `tab.${section.tab}`], section.tab) : t(section.tabTitle))
  }
  return [...tabs].map(([id, title]) => ({ id, title }))
}

/** How many problems a tab holds. */
function countOf(state: FormState, screen: FormScreen, tab: string): { readonly count?: number } {
  const count = state.problems.filter(({ to }) => (to.kind === 'field' && tabOf(screen, to.wire) === tab) || (to.kind === 'line' && tabOfGrid(screen, to.grid) === tab)).length
  return count === 0 ? {} : { count }
}

function tabOf(screen: FormScreen, wire: string): string | undefined {
  return screen.sections.find((section) => section.fields.some((field) => field.wire === wire))?.tab
}

function tabOfGrid(screen: FormScreen, grid: string): string | undefined {
  return screen.sections.find((section) => section.lines?.wire === grid)?.tab
}

interface JumpTargets {
  readonly session: FormSession
  readonly prefix: string
  readonly screen: FormScreen
  readonly setTab: (tab: string) => void
}

function jumpTo({ to }: Problem, { session, prefix, screen, setTab }: JumpTargets): void {
  if (to.kind === 'slot') session.focusSlot(to.name)
  else if (to.kind === 'line') {
    const tab = tabOfGrid(screen, to.grid)
    if (tab !== undefined) setTab(tab)
    requestAnimationFrame(() => session.grids.get(to.grid)?.jumpTo(to.rowKey, to.wire))
  } else if (to.kind === 'field') {
    const tab = tabOf(screen, to.wire)
    const section = screen.sections.find((one) => one.fields.some((field) => field.wire === to.wire))
    if (section !== undefined && !isSectionVisible(section, session.store.values, session.store.around)) return
    if (tab !== undefined) setTab(tab)
    requestAnimationFrame(() => document.getElementById(fieldId(prefix, to.wire))?.focus())
  }
}
