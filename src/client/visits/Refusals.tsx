import { useState } from 'react'
import type { VisitDay } from '#api/visits.ts'
import { inWords, t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import input from '../ui/input.module.css'
import { CashAmount, isAmount } from './CashAmount.tsx'
import { sendAgain, takeBack } from './delivery.ts'
import type { Entry } from './outbox.ts'
import css from './visits.module.css'

/** What the server did not take, with why: put right here and sent again, or taken back. What was done after it waits. */
export function Refusals({ box, reasons }: { readonly box: readonly Entry[]; readonly reasons: VisitDay['Reasons'] }) {
  const refused = box.filter((entry) => entry.refused !== undefined)
  return refused.map((entry) => <Refusal key={entry.n} entry={entry} reasons={reasons} />)
}

function Refusal({ entry, reasons }: { readonly entry: Entry; readonly reasons: VisitDay['Reasons'] }) {
  const [body, setBody] = useState(entry.body)
  const [tried, setTried] = useState(false)
  const { refused } = entry
  if (refused === undefined) return null
  const { errors, warnings } = refused
  const lines = Array.isArray(body['Lines']) ? (body['Lines'] as readonly Readonly<Record<string, unknown>>[]) : []
  const amountId = `visits-amount-${entry.n}`
  const amount = String(body['Amount'] ?? '')
  const again = (): void => {
    setTried(true)
    if (entry.kind === 'collection' && !isAmount(amount)) return document.getElementById(amountId)?.focus()
    void sendAgain(entry, { body, ...(warnings.length === 0 ? {} : { acknowledge: warnings.map(({ id }) => id) }) })
  }
  const sentences = [...(errors.length === 0 && warnings.length === 0 ? [refused.said] : []), ...errors, ...warnings]
  return (
    <section className={css['refused']} role="alert">
      <b>{t('ui.visits.refused', { what: t(`ui.visits.kind.${entry.kind}`), customer: entry.customer.name })}</b>
      <ul>
        {sentences.map((said) => <li key={said.text}>{inWords(said)}</li>)}
      </ul>
      {entry.kind === 'check-out' && (
        <>
          <label className={css['field']}>
            {t('field.result')}
            <select className={input['input']} value={String(body['Result'])} onChange={(event) => setBody({ ...body, Result: event.target.value })}>
              {['ORDER', 'NO_ORDER', 'CLOSED', 'COLLECTION'].map((one) => <option key={one} value={one}>{t(one === 'CLOSED' ? 'enum.customer_visit.result.CLOSED' : `enum.${one}`)}</option>)}
            </select>
          </label>
          <label className={css['field']}>
            {t('field.reason_id')}
            <select className={input['input']} value={String(body['ReasonID'] ?? '')} onChange={(event) => setBody({ ...body, ReasonID: event.target.value === '' ? undefined : Number(event.target.value) })}>
              <option value="" />
              {reasons.map(({ ID, Name }) => <option key={ID} value={ID}>{Name}</option>)}
            </select>
          </label>
        </>
      )}
      {entry.kind === 'order' && lines.map((line, at) => (
        <label key={String(line['ItemID'])} className={css['item']}>
          <span>{t('ui.visits.line', { line: at + 1 })}</span>
          <input className={input['input']} inputMode="decimal" value={String(line['Qty'] ?? '')} onChange={(event) => setBody({ ...body, Lines: lines.map((one, n) => (n === at ? { ...one, Qty: event.target.value } : one)) })} />
        </label>
      ))}
      {entry.kind === 'collection' && (
        <CashAmount id={amountId} value={amount} isAsked={tried} onChange={(value) => setBody({ ...body, Amount: value })} />
      )}
      <div className={css['buttons']}>
        <Button look="primary" onClick={again}>
          {t(warnings.length > 0 ? 'ui.visits.anyway' : 'ui.visits.again')}
        </Button>
        <Button onClick={() => void takeBack(entry)}>{t('ui.visits.takeBack')}</Button>
      </div>
    </section>
  )
}
