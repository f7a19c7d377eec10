import { useId, useState } from 'react'
import type { DayCustomer, VisitDay } from '#api/visits.ts'
import { formatMoney, formatPrice } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { saidClock } from '../app/saidTime.ts'
import { NumberEntry } from '../form/TextEntry.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import type { Entry } from './outbox.ts'
import type { Day } from './useDay.ts'
import css from './visits.module.css'

interface Props {
  readonly customer: DayCustomer
  readonly day: Day
  readonly reasons: VisitDay['Reasons']
  readonly box: readonly Entry[]
}

const results = ['ORDER', 'NO_ORDER', 'CLOSED', 'COLLECTION'] as const

/** What is done at a customer: an order, photos, and at the end what came of it. */
export function AtCustomer({ customer, day, reasons, box }: Props) {
  const id = useId()
  const [result, setResult] = useState<string>('')
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const needsReason = result === 'NO_ORDER' || result === 'CLOSED'
  const missing = result === '' ? 'result' : needsReason && reason === '' ? 'reason' : needsReason && note.trim() === '' && reasons.find(({ ID }) => String(ID) === reason)?.NeedsNote === true ? 'note' : undefined
  const leave = async (): Promise<void> => {
    setTried(true)
    if (missing !== undefined) return document.getElementById(`${id}-${missing === 'result' ? 'ORDER' : missing}`)?.focus()
    setBusy(true)
    await day.leave(customer, { Result: result, ...(needsReason ? { ReasonID: Number(reason) } : {}), ...(note.trim() === '' ? {} : { Note: note.trim() }) })
  }
  const distance = customer.Visit?.DistanceM
  return (
    <section className={css['at']} aria-label={customer.Name}>
      <h2>{customer.Name}</h2>
      <p>
        {t('ui.visits.since', { time: saidClock(customer.Visit?.CheckInAt) })}
        {distance !== null && distance !== undefined && <> · {t('ui.visits.distance', { metres: distance })}</>}
      </p>
      <Order customer={customer} day={day} box={box} />
      <label className={css['photo']}>
        {t('ui.visits.photo')}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file !== undefined) void day.photo(customer, file)
            event.target.value = ''
          }}
        />
      </label>
      <Collection customer={customer} day={day} box={box} />
      <fieldset className={css['results']}>
        <legend>{t('field.result')}</legend>
        {results.map((one) => (
          <label key={one}>
            <input id={`${id}-${one}`} type="radio" name={`${id}-result`} checked={result === one} onChange={() => setResult(one)} />
            {t(one === 'CLOSED' ? 'enum.customer_visit.result.CLOSED' : `enum.${one}`)}
          </label>
        ))}
        {tried && missing === 'result' && <span role="alert" className={css['wrong']}>{t('ui.visits.chooseResult')}</span>}
      </fieldset>
      {needsReason && (
        <label className={css['field']}>
          {t('field.reason_id')}
          <select id={`${id}-reason`} className={input['input']} value={reason} aria-invalid={tried && missing === 'reason'} onChange={(event) => setReason(event.target.value)}>
            <option value="" />
            {reasons.map(({ ID, Name }) => <option key={ID} value={ID}>{Name}</option>)}
          </select>
          {tried && missing === 'reason' && <span role="alert" className={css['wrong']}>{t('ui.visits.chooseReason')}</span>}
        </label>
      )}
      <label className={css['field']}>
        {t('field.note')}
        <textarea id={`${id}-note`} className={input['input']} rows={2} maxLength={500} value={note} aria-invalid={tried && missing === 'note'} onChange={(event) => setNote(event.target.value)} />
        {tried && missing === 'note' && <span role="alert" className={css['wrong']}>{t('ui.visits.writeNote')}</span>}
      </label>
      <Button look="primary" className={css['big']} busy={isBusy} onClick={() => void leave()}>
        {t('action.check-out')}
      </Button>
    </section>
  )
}

/** The usual items of the customer with quantities; the server prices the order when it arrives. */
function Order({ customer, day, box }: Pick<Props, 'customer' | 'day' | 'box'>) {
  const [qty, setQty] = useState<Readonly<Record<number, string>>>({})
  const [sent, setSent] = useState(false)
  const isWaiting = box.some(({ kind, customer: { id } }) => kind === 'order' && id === customer.ID)
  const lines = customer.Items.filter(({ ID }) => /^\d{1,6}(\.\d{1,3})?$/.test(qty[ID] ?? '') && Number(qty[ID]) > 0)
  if (sent || isWaiting) return <p className={css['sent']}>{t('ui.visits.ordered')}</p>
  return (
    <details className={css['order']}>
      <summary>{t('ui.visits.order')}</summary>
      {customer.Items.length === 0 && <p>{t('ui.visits.noItems')}</p>}
      {customer.Items.map((item) => (
        <label key={item.ID} className={css['item']}>
          <span>
            {item.Name} <small>{item.Price === null ? item.Uom : `${formatPrice(item.Price)} / ${item.Uom}`}</small>
          </span>
          <input className={input['input']} inputMode="decimal" value={qty[item.ID] ?? ''} onChange={(event) => setQty({ ...qty, [item.ID]: event.target.value.trim().replace(',', '.') })} />
        </label>
      ))}
      <Button
        disabled={lines.length === 0}
        onClick={() => {
          setSent(true)
          void day.order(customer, { Lines: lines.map((item) => ({ ItemID: item.ID, Uom: item.Uom, Qty: qty[item.ID] })) })
        }}
      >
        {t('ui.visits.sendOrder', { count: lines.length })}
      </Button>
      <Link to="/sales-order-form">{t('ui.visits.orderForm')}</Link>
    </details>
  )
}

/** Cash for open invoices, the oldest first; it stays with the salesman until he hands it over. */
function Collection({ customer, day, box }: Pick<Props, 'customer' | 'day' | 'box'>) {
  const [amount, setAmount] = useState('')
  const waiting = box.find(({ kind, customer: { id } }) => kind === 'collection' && id === customer.ID)
  const [sent, setSent] = useState<string>()
  const taken = sent ?? (waiting === undefined ? undefined : String(waiting.body['Amount']))
  if (taken !== undefined) return <p className={css['sent']}>{t('ui.visits.collected', { amount: formatMoney(taken) })}</p>
  if (Number(customer.Open) <= 0) return null
  const isRight = Number(amount) > 0
  return (
    <details className={css['order']}>
      <summary>{t('ui.visits.collect')}</summary>
      <p>{t(Number(customer.Due) > 0 ? 'ui.visits.openDue' : 'ui.visits.open', { open: formatMoney(customer.Open), due: formatMoney(customer.Due) })}</p>
      <Field id="visits-amount" label={t('field.amount')} errors={[]}>
        <NumberEntry id="visits-amount" value={amount} type="money" onChange={(value) => setAmount(value ?? '')} onUnread={() => undefined} />
      </Field>
      <Button
        disabled={!isRight}
        onClick={() => {
          setSent(amount)
          void day.collect(customer, amount)
        }}
      >
        {isRight ? t('ui.visits.take', { amount: formatMoney(amount) }) : t('ui.visits.collect')}
      </Button>
    </details>
  )
}
