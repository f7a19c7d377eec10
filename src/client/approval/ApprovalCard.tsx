import { useEffect, useRef, useState } from 'react'
import type { ApprovalRow } from '#api/approval.ts'
import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { showValue } from '../table/cells.tsx'
import { classes } from '../ui/classes.ts'
import { Badge } from '../ui/Badge.tsx'
import css from './ApprovalCard.module.css'
import { slaOf } from './approvalSla.ts'
import { Reasons } from './Reasons.tsx'

interface ApprovalCardProps {
  readonly row: ApprovalRow
  readonly columns: readonly Column[]
  readonly isOpen: boolean
  readonly isPicked: boolean
  /** Can this one be picked? Undefined: none can; one that cannot stands in line with those that can. */
  readonly canPick: boolean | undefined
  readonly onOpen: () => void
  readonly onPick: (isOn: boolean) => void
}

/** One request in the queue: document, party, amount, why it waits, since when. */
export function ApprovalCard({ row, columns, isOpen, isPicked, canPick, onOpen, onPick }: ApprovalCardProps) {
  const [party, ...rest] = columns
  const amount = rest.find((column) => column.type === 'money')
  // Opened by an address, a notice or a key, it may stand further down the queue.
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li ref={card} className={classes(css['card'], isOpen && css['open'])}>
      {canPick === false && <span className={css['pick']} />}
      {canPick === true && (
        <label className={css['pick']}>
          <span className="visually-hidden">{t('ui.select-row')}</span>
          <input type="checkbox" checked={isPicked} onChange={(event) => onPick(event.target.checked)} />
        </label>
      )}
      <button type="button" className={css['main']} aria-current={isOpen ? 'true' : undefined} onClick={onOpen}>
        <span className={css['line']}>
          <strong>{row.DocCode}</strong>
          <Sla key={row.DueAt} row={row} />
        </span>
        <span className={css['line']}>
          {party !== undefined && <span className={css['party']}>{showValue(party, row.Document)}</span>}
          <span className={css['amount']}>{amount === undefined ? '' : showValue(amount, row.Document)}</span>
        </span>
        <Reasons reasons={row.Reasons} />
        {row.OnBehalfOfName !== null && (
          <span>
            <Badge tone="info">{t('ui.approval.on-behalf', { name: row.OnBehalfOfName })}</Badge>
          </span>
        )}
        <span className={css['since']}>
          {row.RequestedByName} · <Moment at={row.RequestedAt} />
          {row.MaxLevel > 1 && ` · ${t('ui.approval.level', { level: row.CurrentLevel, of: row.MaxLevel })}`}
        </span>
      </button>
    </li>
  )
}

/** Time left, coloured from three quarters of it on. */
function Sla({ row }: { readonly row: ApprovalRow }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const state = slaOf(row, now)
  return state === undefined ? null : <Badge tone={state.tone}>{t(`ui.approval.${state.isLate ? 'late' : 'due'}.${state.unit}`, { n: state.amount })}</Badge>
}
