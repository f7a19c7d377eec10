import { useRef, useState } from 'react'
import type { DayCustomer, UsualItem, VisitPrices } from '#api/visits.ts'
import { formatPrice } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import input from '../ui/input.module.css'
import { isTakenBack } from './delivery.ts'
import type { Entry } from './outbox.ts'
import type { Day } from './useDay.ts'
import { found, soldTo } from './usePrices.ts'
import css from './visits.module.css'

const mostFound = 8

interface Props {
  readonly customer: DayCustomer
  readonly day: Day
  readonly box: readonly Entry[]
  readonly prices: VisitPrices | undefined
}

/** Quantities of what the customer usually takes and of whatever else he may buy; the server prices the order when it arrives. */
export function TakeOrder({ customer, day, box, prices }: Props) {
  const [qty, setQty] = useState<Readonly<Record<number, string>>>({})
  const [others, setOthers] = useState<readonly number[]>([])
  const [search, setSearch] = useState('')
  const [sent, setSent] = useState<string>()
  /** Chosen a moment ago: its quantity is what is typed next. */
  const added = useRef<number>(undefined)
  if ((sent !== undefined && !isTakenBack(sent)) || box.some(({ kind, customer: { id: of } }) => kind === 'order' && of === customer.ID)) return <p className={css['sent']}>{t('ui.visits.ordered')}</p>
  const sold = soldTo(prices, customer)
  const known = new Map(sold.map((item) => [item.ID, item]))
  const chosen = new Set([...customer.Items.map((item) => item.ID), ...others])
  const items = [...chosen].flatMap((one) => known.get(one) ?? customer.Items.find((item) => item.ID === one) ?? [])
  const lines = items.filter(({ ID }) => /^\d{1,6}(\.\d{1,3})?$/.test(qty[ID] ?? '') && Number(qty[ID]) > 0)
  const matches = found(sold, search).filter(({ ID }) => !chosen.has(ID))
  const add = (item: UsualItem): void => {
    setOthers([...others, item.ID])
    setSearch('')
    added.current = item.ID
  }
  return (
    <details className={css['order']}>
      <summary>{t('ui.visits.order')}</summary>
      {items.length === 0 && <p>{t('ui.visits.noItems')}</p>}
      {items.map((item) => (
        <label key={item.ID} className={css['item']}>
          <span>
            {item.Name} <small>{priced(item)}</small>
          </span>
          <input
            ref={(box) => {
              if (added.current !== item.ID) return
              added.current = undefined
              box?.focus()
            }}
            className={input['input']}
            inputMode="decimal"
            value={qty[item.ID] ?? ''}
            onChange={(event) => setQty({ ...qty, [item.ID]: event.target.value.trim().replace(',', '.') })}
          />
        </label>
      ))}
      <label className={css['field']}>
        {t('ui.visits.otherItems')}
        <input type="search" className={input['input']} value={search} placeholder={t('ui.lookup.placeholder')} autoComplete="off" onChange={(event) => setSearch(event.target.value)} />
      </label>
      {search.trim() !== '' && (
        <ul className={css['found']}>
          {matches.slice(0, mostFound).map((item) => (
            <li key={item.ID}>
              <button type="button" onClick={() => add(item)}>
                <span>{item.Name}</span>
                <small>{item.Code} · {priced(item)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {matches.length > mostFound && <p>{t('ui.lookup.more', { count: mostFound })}</p>}
      {search.trim() !== '' && matches.length === 0 && <p role="status">{t('ui.lookup.none')}</p>}
      <Button
        disabled={lines.length === 0}
        onClick={() => void day.order(customer, { Lines: lines.map((item) => ({ ItemID: item.ID, Uom: item.Uom, Qty: qty[item.ID] })) }).then(setSent)}
      >
        {t('ui.visits.sendOrder', { count: lines.length })}
      </Button>
    </details>
  )
}

function priced({ Price, Uom }: UsualItem): string {
  return Price === null ? Uom : `${formatPrice(Price)} / ${Uom}`
}
