import { exact, money } from '#base/decimal.ts'
import { deductionKinds } from '#api/payment.ts'
import { formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import input from '../../ui/input.module.css'
import { moneyOf, type AllocationLine, type Credit, type Deduction } from './allocation.ts'
import type { ArPaymentFilter } from './arPayment.ts'
import { HeldDate, HeldNumber, HeldText } from './entries.tsx'
import css from './PaymentAllocation.module.css'

interface ExtrasProps {
  readonly id: string
  readonly line: AllocationLine
  readonly items: ArPaymentFilter
  readonly readOnly: boolean
  readonly onChange: (values: Partial<AllocationLine>) => void
}

/** Credit notes, deposits and deductions used for one invoice. */
export function Extras({ id, line, items, readOnly, onChange }: ExtrasProps) {
  const options = [
    ...items.creditNote.map((option) => ({ key: `CREDIT_NOTE:${option.ID}`, option, source: 'CREDIT_NOTE' as const })),
    ...items.custDeposit.map((option) => ({ key: `DEPOSIT:${option.ID}`, option, source: 'DEPOSIT' as const })),
  ]
  const setCredit = (at: number, credit: Credit | undefined) => onChange({ credits: credit === undefined ? line.credits.toSpliced(at, 1) : line.credits.with(at, credit) })
  const setDeduction = (at: number, deduction: Deduction | undefined) =>
    onChange({ deductions: deduction === undefined ? line.deductions.toSpliced(at, 1) : line.deductions.with(at, deduction) })
  const open = exact(moneyOf(line))
  const addCredit = () => {
    const unused = options.find((one) => !line.credits.some((credit) => credit.source === one.source && credit.sourceId === one.option.ID))
    if (unused === undefined) return
    const left = exact(unused.option.Remaining)
    onChange({ credits: [...line.credits, { source: unused.source, sourceId: unused.option.ID, amount: money(left.lt(open) ? left : open) }] })
  }
  return (
    <div className={css['extrasGrid']}>
      <fieldset>
        <legend>{t('ui.payment.credits')}</legend>
        {line.credits.map((credit, i) => (
          <div key={i} className={css['extra']}>
            <select
              className={input['input']}
              aria-label={t('ui.payment.creditSource')}
              disabled={readOnly}
              value={`${credit.source}:${credit.sourceId}`}
              onChange={(event) => {
                const chosen = options.find((one) => one.key === event.target.value)
                if (chosen !== undefined) setCredit(i, { ...credit, source: chosen.source, sourceId: chosen.option.ID })
              }}
            >
              {options.map((one) => (
                <option key={one.key} value={one.key}>
                  {one.option.Code} · {formatMoney(one.option.Remaining)}
                </option>
              ))}
            </select>
            <HeldNumber
              id={`${id}-credit-${i}`}
              type="money"
              value={credit.amount}
              ariaLabel={t('ui.payment.creditAmount')}
              describedBy={`${id}-problem`}
              readOnly={readOnly}
              max={options.find((one) => one.source === credit.source && one.option.ID === credit.sourceId)?.option.Remaining ?? '0'}
              onChange={(amount) => setCredit(i, { ...credit, amount })}
            />
            {!readOnly && <IconButton icon="close" label={t('ui.remove')} onClick={() => setCredit(i, undefined)} />}
          </div>
        ))}
        {!readOnly && (
          <Button look="plain" icon="plus" disabled={options.length <= line.credits.length} onClick={addCredit}>
            {t('ui.payment.addCredit')}
          </Button>
        )}
      </fieldset>
      <fieldset>
        <legend>{t('ui.payment.deductions')}</legend>
        {line.deductions.map((deduction, i) => (
          <div key={i} className={css['extra']}>
            <select
              className={input['input']}
              aria-label={t('ui.payment.deductionKind')}
              disabled={readOnly}
              value={deduction.kind}
              onChange={(event) => {
                const kind = deductionKinds.find((one) => one === event.target.value)
                if (kind !== undefined) setDeduction(i, { ...deduction, kind })
              }}
            >
              {deductionKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`ui.payment.kind.${kind}`)}
                </option>
              ))}
            </select>
            <HeldNumber
              id={`${id}-deduction-${i}`}
              type="money"
              value={deduction.amount}
              ariaLabel={t('ui.payment.deductionAmount')}
              describedBy={`${id}-problem`}
              readOnly={readOnly}
              max={line.remaining}
              onChange={(amount) => setDeduction(i, { ...deduction, amount })}
            />
            {(deduction.kind === 'PPH22' || deduction.kind === 'PPH23' || deduction.kind === 'PPN_WAPU') && (
              <>
                <HeldText
                  id={`${id}-proof-${i}`}
                  value={deduction.documentNo}
                  ariaLabel={t('ui.payment.proofNo')}
                  readOnly={readOnly}
                  onChange={(documentNo) => setDeduction(i, { ...deduction, documentNo })}
                />
                <HeldDate
                  id={`${id}-proof-date-${i}`}
                  label={t('ui.payment.proofDate')}
                  value={deduction.documentDate}
                  readOnly={readOnly}
                  onChange={(day) => setDeduction(i, { ...deduction, documentDate: day ?? '' })}
                />
              </>
            )}
            {!readOnly && <IconButton icon="close" label={t('ui.remove')} onClick={() => setDeduction(i, undefined)} />}
          </div>
        ))}
        {!readOnly && (
          <Button
            look="plain"
            icon="plus"
            onClick={() => onChange({ deductions: [...line.deductions, { kind: 'DIFF', amount: '0.00', documentNo: '', documentDate: '' }] })}
          >
            {t('ui.payment.addDeduction')}
          </Button>
        )}
      </fieldset>
    </div>
  )
}
