import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../app/messages.ts'
import { saidClock, saidTime } from '../../app/saidTime.ts'
import { useUrlQuery } from '../../app/urlQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { LeaveGuard } from '../../form/LeaveGuard.tsx'
import { stepAt, type StepProblem, type WizardStep } from './steps.ts'
import type { StepDraft } from './useStepDraft.ts'
import css from './Wizard.module.css'

interface WizardProps {
  /** Names the way as a whole. */
  readonly label: string
  readonly steps: readonly WizardStep[]
  /** Step shown when the address names none, from 0. */
  readonly start?: number
  /** What was entered is kept here until it is saved; a found one is offered. */
  readonly draft?: StepDraft | undefined
  /** Something is entered and not saved: leaving the page asks first. */
  readonly isDirty?: boolean
  /** The last step's button. Absent: there is nothing left to do there. */
  readonly finish?: { readonly label: string; readonly isBusy?: boolean; readonly run: () => void | Promise<void> } | undefined
}

/**
 * Steps one after the other: where one is stands in the address (`step`, from 1), a step is left forwards once nothing is wrong in it, and
 * backwards at any time. Alt+PageDown goes on, Alt+PageUp goes back, Ctrl+Enter ends the last one.
 */
export function Wizard({ label, steps, start = 0, draft, isDirty = false, finish }: WizardProps) {
  const [query, setQuery] = useUrlQuery()
  const asked = query.get('step')
  const at = stepAt(steps, asked, start)
  const step = steps[at]
  const [problems, setProblems] = useState<readonly StepProblem[]>([])
  const [isBusy, setBusy] = useState(false)
  const prefix = useId()
  const panel = useRef<HTMLElement>(null)
  const hasMoved = useRef(false)
  /** What is told in the step that is about to be shown. */
  const carried = useRef<readonly StepProblem[]>([])
  const tell = useCallback(() => {
    const found = carried.current
    carried.current = []
    setProblems(found)
    jump(found[0])
  }, [])
  useEffect(() => {
    // The eyes of a keyboard follow: but not when the page has just been opened.
    if (hasMoved.current) panel.current?.focus()
    hasMoved.current = true
    tell()
  }, [at, tell])

  const show = (next: number) => setQuery({ step: String(next + 1) })
  /** Leaves forwards: every step on the way must have nothing wrong in it. */
  const goTo = async (next: number) => {
    if (next === at || isBusy) return
    if (next < at) return show(next)
    const found = step?.check?.() ?? []
    setProblems(found)
    if (found.length > 0) {
      jump(found[0])
      return
    }
    setBusy(true)
    const mayGo = (await step?.leave?.()) ?? true
    setBusy(false)
    // What was kept may have opened the next one: whether it may be shown, the address is asked.
    if (mayGo) show(Math.min(next, at + 1))
  }
  /** Whoever came here by the address, or took up a draft here, may have something wrong in an earlier step: that is shown. */
  const end = async () => {
    const problemsOf = steps.map((one) => one.check?.() ?? [])
    const wrong = problemsOf.findIndex((found) => found.length > 0)
    if (wrong < 0) return finish?.run()
    carried.current = problemsOf[wrong] ?? []
    if (wrong !== at) return show(wrong)
    tell()
    return undefined
  }
  const isLast = at === steps.length - 1
  const canGoOn = !isLast && step?.isAutomatic !== true
  const onKey = (event: KeyboardEvent) => {
    const isForth = event.altKey && event.key === 'PageDown'
    const isBack = event.altKey && event.key === 'PageUp'
    const isEnd = (event.ctrlKey || event.metaKey) && event.key === 'Enter' && isLast && finish !== undefined
    // A dialog over the page has keys of its own.
    if ((!isForth && !isBack && !isEnd) || document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    if (isEnd) void end()
    else if (isBack && at > 0) void goTo(at - 1)
    else if (isForth && canGoOn) void goTo(at + 1)
  }
  const latestKey = useRef(onKey)
  latestKey.current = onKey
  useLayoutEffect(() => {
    // Wherever the focus is: a step may have just begun.
    const listen = (event: KeyboardEvent) => latestKey.current(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  if (step === undefined) return null
  return (
    <div className={css['wizard']} data-keys="wizard">
      <nav aria-label={label}>
        <ol className={css['steps']}>
          {steps.map(({ id, title, isOpen, count }, i) => (
            <li key={id} className={classes(css['step'], i < at && css['done'], i === at && css['current'])}>
              <button type="button" aria-current={i === at ? 'step' : undefined} disabled={i === at + 1 ? !isOpen && !canGoOn : !isOpen || (i > at && !steps.slice(at, i).every((one) => one.isOpen))} onClick={() => void goTo(i)}>
                <span className={css['number']} aria-hidden="true">
                  {i + 1}
                </span>
                <span className={css['title']}>{title}</span>
                {count !== undefined && <span className={css['size']}>{count}</span>}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {draft?.found !== undefined && (
        <div className={css['draft']} role="status">
          <p>{t('ui.draft.found', { time: saidTime(draft.found.at) })}</p>
          <Button onClick={draft.restore}>{t('ui.draft.restore')}</Button>
          <Button look="plain" onClick={draft.drop}>
            {t('ui.draft.drop')}
          </Button>
        </div>
      )}
      {problems.length > 0 && (
        <div className={css['problems']} role="alert">
          <p>{t('ui.form.problems', { count: problems.length })}</p>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.fieldId ?? ''} ${problem.text}`}>
                {problem.fieldId === undefined ? (
                  problem.text
                ) : (
                  <button type="button" onClick={() => jump(problem)}>
                    {problem.text}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      <section ref={panel} tabIndex={-1} className={css['panel']} aria-labelledby={`${prefix}-title`}>
        <h2 id={`${prefix}-title`} className={css['heading']}>
          {t('ui.wizard.step', { n: at + 1, of: steps.length, title: step.title })}
        </h2>
        {step.content}
      </section>
      <footer className={css['foot']}>
        {isDirty && <p className={css['kept']}>{draft?.keptAt === undefined ? t('ui.form.unsaved') : t('ui.draft.kept', { time: saidClock(draft.keptAt) })}</p>}
        {at > 0 && (
          <Button disabled={isBusy} title="Alt+PageUp" onClick={() => void goTo(at - 1)}>
            {t('ui.wizard.back')}
          </Button>
        )}
        {canGoOn && (
          <Button look="primary" busy={isBusy} title="Alt+PageDown" onClick={() => void goTo(at + 1)}>
            {t('ui.wizard.next', { title: steps[at + 1]?.title ?? '' })}
          </Button>
        )}
        {isLast && finish !== undefined && (
          <Button look="primary" icon="check" busy={finish.isBusy === true} title="Ctrl+Enter" onClick={() => void end()}>
            {finish.label}
          </Button>
        )}
      </footer>
      <LeaveGuard isDirty={isDirty} text={t('ui.form.leaveText')} />
    </div>
  )
}

function jump(problem: StepProblem | undefined): void {
  const target = problem?.fieldId === undefined ? null : document.getElementById(problem.fieldId)
  target?.scrollIntoView({ block: 'center' })
  target?.focus()
}
