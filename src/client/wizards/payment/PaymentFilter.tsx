import { useId, useState } from 'react'
import type { PaymentAccount } from '#api/payment.ts'
import { formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { DateInput } from '../../form/DateInput.tsx'
import input from '../../ui/input.module.css'
import { allCustomers } from '../../scope/selection.ts'
import type { ArPaymentFilter } from './arPayment.ts'
import css from './PaymentAllocation.module.css'

interface PaymentFilterProps {
  readonly filter: ArPaymentFilter
  readonly shown: number
  readonly all: number
  readonly account: PaymentAccount | undefined
  readonly onChange: (change: Partial<ArPaymentFilter>) => void
}

/** Invoices of some days or of one address only, and what account the money comes from. */
export function PaymentFilter({ filter, shown, all, account, onChange }: PaymentFilterProps) {
  const id = useId()
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const mark = (box: string, isWrong: boolean) => setWrong((before) => (before.has(box) === isWrong ? before : new Set(isWrong ? [...before, box] : [...before].filter((one) => one !== box))))
  return (
    <div className={css['filter']} role="group" aria-label={t('ui.payment.filter')}>
      <label htmlFor={`${id}-from`}>{t('ui.payment.from-date')}</label>
      <DateInput id={`${id}-from`} label={t('ui.payment.from-date')} value={filter.startDate} invalid={wrong.has('from')} onUnread={(message) => mark('from', message !== undefined)} onChange={(day) => onChange({ startDate: day ?? '' })} />
      <label htmlFor={`${id}-to`}>{t('ui.payment.to-date')}</label>
      <DateInput id={`${id}-to`} label={t('ui.payment.to-date')} value={filter.endDate} invalid={wrong.has('to')} onUnread={(message) => mark('to', message !== undefined)} onChange={(day) => onChange({ endDate: day ?? '' })} />
      {filter.shipTo.length > 1 && (
        <>
          <label htmlFor={`${id}-ship-to`}>{t('ui.payment.ship-to')}</label>
          <select id={`${id}-ship-to`} className={input['input']} value={filter.chosenShipTo} onChange={(event) => onChange({ chosenShipTo: Number(event.target.value) })}>
            <option value={0}>{allCustomers.name}</option>
            {filter.shipTo.map((one) => (
              <option key={one.ID} value={one.ID}>
                {one.address}
              </option>
            ))}
          </select>
        </>
      )}
      <span role="status">{shown < all && t('ui.payment.shown', { shown: formatNumber(shown), all: formatNumber(all) })}</span>
      {account !== undefined && <span>{t('ui.payment.paid-from', { account: `${account.bank_name} ${account.account_number} ${account.account_name}` })}</span>}
    </div>
  )
}
