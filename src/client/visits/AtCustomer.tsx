import { useId, useState } from 'react'
import type { DayCustomer, VisitDay, VisitPrices } from '#api/visits.ts'
import { formatMoney } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { saidClock } from '../app/saidTime.ts'
import { Button } from '../ui/Button.tsx'
import input from '../ui/input.module.css'
import { CashAmount, isAmount } from './CashAmount.tsx'
import { isTakenBack } from './delivery.ts'
import type { Entry } from './outbox.ts'
import { TakeOrder } from './TakeOrder.tsx'
import type { Day } from './useDay.ts'
import css from './visits.module.css'

interface Props {
  readonly customer: DayCustomer
  readonly day: Day
  readonly reasons: VisitDay['Reasons']
  readonly box: readonly Entry[]
  readonly prices: VisitPrices | undefined
}

const results = ['ORDER', 'NO_ORDER', 'CLOSED', 'COLLECTION'] as const

/** What is done at a customer: an order, photos, and at the end what came of it. */
export function AtCustomer({ customer, day, reasons, box, prices }: Props) {
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
      <TakeOrder customer={customer} day={day} box={box} prices={prices} />
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

const boxId = 'visits-amount'

/** Cash for open invoices, the oldest first; it stays with the salesman until he hands it over. */
function Collection({ customer, day, box }: Pick<Props, 'customer' | 'day' | 'box'>) {
  const [amount, setAmount] = useState('')
  const [tried, setTried] = useState(false)
  const waiting = box.find(({ kind, customer: { id } }) => kind === 'collection' && id === customer.ID)
  const [sent, setSent] = useState<{ readonly key: string; readonly amount: string }>()
  const taken = waiting !== undefined ? String(waiting.body['Amount']) : sent === undefined || isTakenBack(sent.key) ? undefined : sent.amount
  if (taken !== undefined) return <p className={css['sent']}>{t('ui.visits.collected', { amount: formatMoney(taken) })}</p>
  if (Number(customer.Open) <= 0) return null
  const take = (): void => {
    setTried(true)
    if (isAmount(amount)) void day.collect(customer, amount).then((key) => setSent({ key, amount }))
    else document.getElementById(boxId)?.focus()
  }
  return (
    <details className={css['order']}>
      <summary>{t('ui.visits.collect')}</summary>
      <p>{t(Number(customer.Due) > 0 ? 'ui.visits.openDue' : 'ui.visits.open', { open: formatMoney(customer.Open), due: formatMoney(customer.Due) })}</p>
      <CashAmount id={boxId} value={amount} isAsked={tried} onChange={setAmount} />
      <Button onClick={take}>
        {isAmount(amount) ? t('ui.visits.take', { amount: formatMoney(amount) }) : t('ui.visits.collect')}
      </Button>
    </details>
  )
}
