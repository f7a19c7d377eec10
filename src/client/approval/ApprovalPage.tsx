import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { approvalStates, type ApprovalRow, type ApprovalStep, type Decision } from '#api/approval.ts'
import type { ApprovalScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { Moment } from '../app/Moment.tsx'
import type { PageProps } from '../app/pageProps.ts'
import { t } from '../app/messages.ts'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { useUrlQuery } from '../app/urlQuery.ts'
import { readRequest } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { useUrlListState } from '../table/useListState.ts'
import { FilterBar } from '../table/FilterBar.tsx'
import { SearchBox } from '../table/SearchBox.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { classes } from '../ui/classes.ts'
import page from '../ui/Page.module.css'
import input from '../ui/input.module.css'
import { useKeys } from '../ui/useKeys.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { ApprovalCard } from './ApprovalCard.tsx'
import bulk from '../table/BulkBar.module.css'
import css from './ApprovalPage.module.css'
import { DetailView, linesTab } from '../pages/DetailView.tsx'
import { askQueue, foreseenQueue, queuePlace, queueQuestion } from './askQueue.ts'
import { decidedByKey, firstOf, nextAfter } from './queue.ts'
import { HeldBar } from './HeldBar.tsx'
import { RequestBasis, requestSeen } from './RequestBasis.tsx'
import { stepTones } from './Steps.tsx'
import { useDecisions, type Decisions } from './useDecisions.tsx'

/** Queue on the left, the document on the right, the decision above it; after a decision the next one opens. */
export function ApprovalPage({ screen }: PageProps<ApprovalScreen>) {
  const [query, setQuery] = useUrlQuery()
  const { state, isMine } = queuePlace(query)
  const [list, setList] = useUrlListState()
  const { search, filters, match } = list
  const openId = Number(query.get('id')) || undefined
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const [overtaken, setOvertaken] = useState<Overtaken>()
  const [moved, setMoved] = useState<readonly ApprovalRow[]>([])
  const [seen, setSeen] = useState<string>()
  const { failure } = useScreens([screen.peek])
  const peek = loadedScreen(screen.peek)
  const [tab, setTab] = useState<string>()
  const { value, problem, reload } = useAnswer(queueQuestion(screen, query), (signal) => askQueue(screen, query, signal), { foreseen: () => foreseenQueue(screen, query) })

  const decisions = useDecisions(value, {
    onHeld: (ids) => {
      isLeft.current = true
      setPicked(new Set())
      // Where nothing was opened by hand, the queue opens with what is this user's to decide anyway.
      if (shown !== undefined && ids.includes(shown.ID)) show(openId === undefined ? undefined : nextAfter(rows, shown, ids)?.ID, 'replace')
    },
    onUndone: (undone) => {
      const [only, ...others] = undone
      if (only !== undefined && others.length === 0) setQuery({ state: 'waiting', id: String(only.ID) }, { replace: true })
    },
    onAnswered: (those) => {
      const [first] = those
      // Whoever looks at the next one goes on with it; where there is none, the place is free to say what has become of the last.
      if (first !== undefined && shown === undefined) void tellOf(first)
      else if (first !== undefined) setMoved((before) => [...before, ...those])
      reload()
    },
  })
  const waiting = value?.rows ?? noRows
  const rows = state === 'waiting' && decisions.gone.size > 0 ? waiting.filter(({ ID }) => !decisions.gone.has(ID)) : waiting
  const index = rows.findIndex((row) => row.ID === openId)
  // Without a choice the first one is looked at on a wide screen; on a phone the queue comes first.
  const over = overtaken !== undefined && (openId ?? overtaken.row.ID) === overtaken.row.ID && !rows.some(({ ID }) => ID === overtaken.row.ID) ? overtaken : undefined
  const shown = over?.row ?? rows[index] ?? (openId === undefined ? firstOf(rows) : undefined)
  const show = useCallback((id: number | undefined, how: 'push' | 'replace' = 'push') => setQuery({ id: id === undefined ? undefined : String(id) }, { replace: how === 'replace' }), [setQuery])
  const narrow = (toMine: boolean) => {
    setPicked(new Set())
    setOvertaken(undefined)
    setQuery({ mine: toMine ? '1' : undefined, id: undefined })
  }
  const isLeft = useRef(false)
  /** Shows how a request stands that somebody else has decided, with the way back to the one looked at before. */
  const tellOf = async (row: ApprovalRow) => {
    const answer = await readRequest(row.ID)
    const last = answer.ok ? answer.value.Steps.at(-1) : undefined
    const isWaiting = answer.ok && answer.value.Approvers.length > 0
    const isTakenBack = !isWaiting && (last?.Action === 'ASK' || (last?.Action === 'APPROVE' && last.Level < row.MaxLevel))
    setMoved((before) => before.filter((one) => one !== row))
    setOvertaken({ row: { ...row, CanDecide: false, DecidedAt: isWaiting ? null : (last?.At ?? '') }, last, isTakenBack, refusal: answer.ok ? undefined : answer.problem.text, nextId: shown?.ID })
    if (shown !== undefined) show(row.ID, 'replace')
  }
  const choose = (row: ApprovalRow, isOn: boolean) =>
    setPicked((before) => {
      const next = new Set(before)
      if (isOn) next.add(row.ID)
      else next.delete(row.ID)
      return next
    })
  const following = over === undefined ? undefined : (rows.find(({ ID }) => ID === over.nextId) ?? firstOf(rows))
  const step = (by: 1 | -1) => {
    const next = over === undefined ? rows[(shown === undefined ? -1 : rows.indexOf(shown)) + by] : following
    if (next !== undefined) show(next.ID, 'replace')
  }
  // The search whose first request takes the keyboard, once it has come.
  const [sought, setSought] = useState<string>()
  const queue = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (sought !== search || value === undefined) return
    const first = firstOf(rows)
    setSought(undefined)
    if (first === undefined) return
    if (openId !== undefined) show(undefined, 'replace')
    queue.current?.children[rows.indexOf(first)]?.querySelector('button')?.focus()
  }, [sought, search, value, rows, openId, show])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (value === undefined || !isLeft.current) return
    isLeft.current = false
    // The request the keyboard stood on has left with its decision: it goes on from the one shown now.
    if (document.activeElement === document.body) (queue.current?.querySelector<HTMLElement>('[aria-current]') ?? heading.current)?.focus()
  }, [value, decisions.gone])
  const leaveSearch = ({ key, target }: KeyboardEvent) => setSought(target instanceof HTMLInputElement && (key === 'Enter' || key === 'ArrowDown') ? target.value.trim() : undefined)
  const chosen = rows.filter((row) => picked.has(row.ID))
  // Nothing is decided, by whatever means, before what the request shown rests on has been there to be read: the second of two taps would fall on it.
  const isLocked = shown !== undefined && over === undefined && seen !== requestSeen(shown)
  const decideByKey = (decision: Decision, how: 'confirm' | 'note' = 'confirm') => {
    const those = decidedByKey(chosen, shown)
    if (those.length > 0 && !isLocked) decisions.ask(decision, those, how)
  }
  const undoLast = () => {
    const last = decisions.held.at(-1)
    if (last !== undefined) decisions.undo(last)
  }
  const pick = () => {
    if (state === 'waiting' && shown?.CanDecide === true) choose(shown, !picked.has(shown.ID))
  }
  useKeys(
    decisions.isAsking
      ? {}
      : { x: pick, u: () => undoLast(), j: () => step(1), k: () => step(-1), a: () => decideByKey('approve'), n: () => decideByKey('approve', 'note'), r: () => decideByKey('reject'), t: () => decideByKey('return') },
  )
  const decidable = rows.filter((row) => row.CanDecide)
  return (
    <section className={classes(page['page'], openId !== undefined && css['reading'])} aria-label={t(screen.title)} data-keys="approval">
      <header className={classes(page['head'], css['head'])} onKeyDown={leaveSearch}>
        <h1 ref={heading} tabIndex={-1}>
          {t(screen.title)}
        </h1>
        <SearchBox value={search} onSearch={(text, how) => setList({ search: text }, how)} />
        <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
        <Link to="/approval/delegation" className={css['link']}>
          <Icon name="user" size={16} /> {t('page.delegations')}
        </Link>
      </header>
      <Tabs
        label={t(screen.title)}
        tabs={approvalStates.map((one) => ({ id: one, title: t(`ui.approval.${one}`), count: value === undefined ? undefined : formatNumber(value.counts[one] - (one === 'waiting' ? waiting.length - rows.length : 0)) }))}
        current={state}
        onSelect={(next) => {
          setPicked(new Set())
          setOvertaken(undefined)
          setQuery({ state: next, id: undefined })
        }}
      />
      <div className={css['filters']}>
        {state === 'waiting' && (
          <button type="button" className={css['mine']} aria-pressed={isMine} onClick={() => narrow(!isMine)}>
            {t('ui.approval.mine')} {value !== undefined && <span>{formatNumber(value.mine - (waiting.length - rows.length))}</span>}
          </button>
        )}
        <FilterBar fields={screen.filters} filters={filters} match={match} onChange={(next) => setList({ filters: next })} onMatch={(next) => setList({ match: next })} />
      </div>
      {chosen.length > 0 && (
        <div className={bulk['bar']} role="toolbar" aria-label={t('ui.actions')}>
          <strong>{t('ui.selected', { n: chosen.length })}</strong>
          <DecisionButtons isLocked={isLocked} onDecide={(decision, how) => decisions.ask(decision, chosen, how)} />
        </div>
      )}
      {problem !== undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={8} />
      ) : rows.length === 0 && over === undefined ? (
        <EmptyState icon="approval" title={t(state === 'waiting' && filters.length === 0 && search === '' ? (isMine ? 'ui.approval.none-mine' : 'ui.approval.none') : 'ui.nothing-matches')}>
          {isMine && value.counts.waiting > 0 ? <Button onClick={() => narrow(false)}>{t('ui.approval.show-all', { n: formatNumber(value.counts.waiting) })}</Button> : undefined}
        </EmptyState>
      ) : (
        <div className={css['split']}>
          <div className={css['queue']}>
            {state === 'waiting' && decidable.length > 1 && (
              <label className={css['all']}>
                <input
                  type="checkbox"
                  className={input['check']}
                  checked={decidable.every((row) => picked.has(row.ID))}
                  onChange={(event) => setPicked(event.target.checked ? new Set(decidable.map((row) => row.ID)) : new Set())}
                />
                {t('ui.select-all')}
              </label>
            )}
            <ul ref={queue}>
              {rows.map((row) => (
                <ApprovalCard
                  key={row.ID}
                  row={row}
                  columns={screen.columns}
                  isOpen={row === shown}
                  isPicked={picked.has(row.ID)}
                  canPick={state === 'waiting' ? row.CanDecide : undefined}
                  onOpen={() => show(row.ID)}
                  onPick={(isOn) => choose(row, isOn)}
                />
              ))}
            </ul>
            {state === 'waiting' && <p className={css['keys']}>{t('ui.approval.keys')}</p>}
            {value.recordsTotal > waiting.length && <p className={css['more']}>{t('ui.approval.more', { n: waiting.length, total: value.recordsTotal })}</p>}
          </div>
          {shown !== undefined && failure !== undefined && <div className={css['document']}>{failure}</div>}
          {shown !== undefined && peek !== undefined && peek.screen.kind === 'detail' && (
            <div className={css['document']}>
              <div className={css['decision']} role="group" aria-label={t('ui.approval.decision')}>
                <Button className={css['back']} icon="left" onClick={() => show(undefined)}>
                  {t('ui.back')}
                </Button>
                {over !== undefined ? (
                  <Outcome {...over} />
                ) : (
                  <span className={css['level']}>
                    <strong className={css['who']}>{typeof shown['PartyName'] === 'string' ? shown['PartyName'] : shown.DocCode}</strong>
                    {t('ui.approval.level', { level: shown.CurrentLevel, of: shown.MaxLevel })}
                    {shown.OnBehalfOfName !== null && ` · ${t('ui.approval.on-behalf', { name: shown.OnBehalfOfName })}`}
                  </span>
                )}
                {over !== undefined ? (
                  following !== undefined && (
                    <Button look="primary" icon="right" autoFocus onClick={() => show(following.ID, 'replace')}>
                      {t('ui.approval.next')}
                    </Button>
                  )
                ) : shown.CanDecide ? (
                  <DecisionButtons
                    isLocked={isLocked}
                    onDecide={(decision, how) => decisions.ask(decision, [shown], how)}
                    {...cutOf(decisions, shown, screen.params, peek.screen.resource)}
                  />
                ) : (
                  state === 'waiting' && <span className={css['aside']}>{t(shown.WhyNot === null ? 'ui.approval.not-yours' : `ui.approval.not-yours.${shown.WhyNot}`)}</span>
                )}
              </div>
              <DetailView
                key={`${shown.DocID} ${shown.DecidedAt ?? ''}`}
                screen={peek.screen}
                module={peek}
                id={shown.DocID}
                tab={tab ?? linesTab(peek.screen)}
                onTab={setTab}
                isReadOnly
                isCompact
                banner={<RequestBasis row={shown} onSeen={setSeen} />}
              />
            </div>
          )}
        </div>
      )}
      <HeldBar held={decisions.held} onUndo={decisions.undo} moved={moved} onShow={(row) => void tellOf(row)} />
      {decisions.dialog}
    </section>
  )
}

const noRows: readonly ApprovalRow[] = []

/** A request that was decided by somebody else while it stood here: its last step, and the one that followed it in the queue. */
interface Overtaken {
  readonly row: ApprovalRow
  readonly last: ApprovalStep | undefined
  /** By who asked, before everybody had decided. */
  readonly isTakenBack: boolean
  /** Why it could not be read what has become of it. */
  readonly refusal: string | undefined
  readonly nextId: number | undefined
}

/** What has become of a request, who did it and when. */
function Outcome({ last, isTakenBack, refusal }: Pick<Overtaken, 'last' | 'isTakenBack' | 'refusal'>) {
  return (
    <span className={css['outcome']} role="status">
      {refusal}
      {isTakenBack ? <Badge>{t('ui.approval.taken-back')}</Badge> : last !== undefined && <Badge tone={stepTones[last.Action]}>{t(`ui.approval.step.${last.Action}`)}</Badge>}
      {!isTakenBack && last !== undefined && (
        <span>
          {last.OnBehalfOfName === null ? last.ActorName : t('ui.on-behalf', { name: last.ActorName, other: last.OnBehalfOfName })} · <Moment at={last.At} />
        </span>
      )}
    </span>
  )
}

/** Where the approver may make lines of the document less. */
function cutOf({ askCut }: Decisions, row: ApprovalRow, params: ApprovalScreen['params'], resource: string): Pick<DecisionButtonsProps, 'onCut'> {
  return params === undefined ? {} : { onCut: () => askCut(row, params, resource) }
}

interface DecisionButtonsProps {
  readonly isLocked: boolean
  readonly onDecide: (decision: Decision, how?: 'note') => void
  /** Of one document whose lines may be cut. */
  readonly onCut?: () => void
}

function DecisionButtons({ isLocked, onDecide, onCut }: DecisionButtonsProps) {
  return (
    <>
      <Button look="primary" icon="check" locked={isLocked} onClick={() => onDecide('approve')}>
        {t('action.approve')}
      </Button>
      <IconButton className={css['note']} icon="comment" label={t('ui.approval.with-note')} disabled={isLocked} onClick={() => onDecide('approve', 'note')} />
      {onCut !== undefined && (
        <Button locked={isLocked} onClick={onCut}>
          {t('ui.approval.cut')}
        </Button>
      )}
      <Button look="negative" locked={isLocked} onClick={() => onDecide('reject')}>
        {t('action.reject')}
      </Button>
      <Button locked={isLocked} onClick={() => onDecide('return')}>
        {t('action.return')}
      </Button>
    </>
  )
}
