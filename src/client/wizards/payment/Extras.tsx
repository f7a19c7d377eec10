import { unmarkedCurrency } from '#base/currency.ts'
import { deductionKinds, longestProofNo } from '#api/payment.ts'
import { formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import input from '../../ui/input.module.css'
import { withDeduction, type AllocationLine, type Credit, type Deduction } from './allocation.ts'
import { creditChoices, type ArPaymentFilter } from './arPayment.ts'
import { HeldDate, HeldNumber, HeldText } from './entries.tsx'
import css from './PaymentAllocation.module.css'

interface ExtrasProps {
  readonly id: string
  readonly line: AllocationLine
  readonly items: ArPaymentFilter
  readonly readOnly: boolean
  readonly onChange: (values: (before: AllocationLine) => Partial<AllocationLine>) => void
  readonly onAddCredit: () => void
}

/** Credit notes, deposits and deductions used for one invoice. */
export function Extras({ id, line, items, readOnly, onChange, onAddCredit }: ExtrasProps) {
  const choices = creditChoices(items).map(({ source, option }) => ({ source, sourceId: option.ID, remaining: option.Remaining, label: `${option.Code} · ${option.Currency === undefined || option.Currency === unmarkedCurrency ? '' : `${option.Currency} `}${formatMoney(option.Remaining)}` }))
  const setCredit = (key: number, values: Partial<Credit>) => onChange(({ credits }) => ({ credits: credits.map((one) => (one.key === key ? { ...one, ...values } : one)) }))
  const setDeduction = (key: number, values: Partial<Deduction>) => onChange(({ deductions }) => ({ deductions: deductions.map((one) => (one.key === key ? { ...one, ...values } : one)) }))
  const choiceOf = ({ source, sourceId, code }: Credit) =>
    // What has been used up since is no choice any more, and still what stands here.
    choices.find((one) => one.source === source && one.sourceId === sourceId) ?? { source, sourceId, remaining: '0', label: code ?? '' }
  return (
    <div className={css['extrasGrid']}>
      <fieldset>
        <legend>{t('ui.payment.credits')}</legend>
        {line.credits.map((credit) => (
          <div key={credit.key} className={css['extra']}>
            <CreditSelect credit={credit} chosen={choiceOf(credit)} choices={choices} readOnly={readOnly} onChoose={({ source, sourceId }) => setCredit(credit.key, { source, sourceId, code: undefined })} />
            <HeldNumber
              id={`${id}-credit-${credit.key}`}
              type="money"
              value={credit.amount}
              ariaLabel={t('ui.payment.creditAmount')}
              describedBy={`${id}-problem`}
              readOnly={readOnly}
              max={choiceOf(credit).remaining}
              onChange={(amount) => setCredit(credit.key, { amount })}
            />
            {!readOnly && <IconButton icon="close" label={t('ui.remove')} onClick={() => onChange(({ credits }) => ({ credits: credits.filter(({ key }) => key !== credit.key) }))} />}
          </div>
        ))}
        {!readOnly && (
          <Button look="plain" icon="plus" disabled={choices.length <= line.credits.length} onClick={onAddCredit}>
            {t('ui.payment.addCredit')}
          </Button>
        )}
      </fieldset>
      <fieldset>
        <legend>{t('ui.payment.deductions')}</legend>
        {line.deductions.map((deduction) => (
          <div key={deduction.key} className={css['extra']}>
            <select
              className={input['input']}
              aria-label={t('ui.payment.deductionKind')}
              disabled={readOnly}
              value={deduction.kind}
              onChange={(event) => {
                const kind = deductionKinds.find((one) => one === event.target.value)
                if (kind !== undefined) setDeduction(deduction.key, { kind })
              }}
            >
              {deductionKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`ui.payment.kind.${kind}`)}
                </option>
              ))}
            </select>
            <HeldNumber
              id={`${id}-deduction-${deduction.key}`}
              type="money"
              value={deduction.amount}
              ariaLabel={t('ui.payment.deductionAmount')}
              describedBy={`${id}-problem`}
              readOnly={readOnly}
              max={line.remaining}
              onChange={(amount) => setDeduction(deduction.key, { amount })}
            />
            {(deduction.kind === 'PPH22' || deduction.kind === 'PPH23' || deduction.kind === 'PPN_WAPU') && (
              <>
                <HeldText
                  id={`${id}-proof-${deduction.key}`}
                  value={deduction.documentNo}
                  longest={longestProofNo}
                  ariaLabel={t('ui.payment.proofNo')}
                  readOnly={readOnly}
                  onChange={(documentNo) => setDeduction(deduction.key, { documentNo })}
                />
                <HeldDate
                  id={`${id}-proof-date-${deduction.key}`}
                  label={t('ui.payment.proofDate')}
                  value={deduction.documentDate}
                  readOnly={readOnly}
                  onChange={(day) => setDeduction(deduction.key, { documentDate: day ?? '' })}
                />
              </>
            )}
            {!readOnly && <IconButton icon="close" label={t('ui.remove')} onClick={() => onChange(({ deductions }) => ({ deductions: deductions.filter(({ key }) => key !== deduction.key) }))} />}
          </div>
        ))}
        {!readOnly && (
          <Button
            look="plain"
            icon="plus"
            onClick={() => onChange(withDeduction)}
          >
            {t('ui.payment.addDeduction')}
          </Button>
        )}
      </fieldset>
    </div>
  )
}

type Choice = Pick<Credit, 'source' | 'sourceId'> & { readonly remaining: string; readonly label: string }

interface CreditSelectProps {
  readonly credit: Credit
  readonly chosen: Choice
  readonly choices: readonly Choice[]
  readonly readOnly: boolean
  readonly onChoose: (choice: Choice) => void
}

function CreditSelect({ credit, chosen, choices, readOnly, onChoose }: CreditSelectProps) {
  const offered = choices.includes(chosen) ? choices : [chosen, ...choices]
  const keyOf = ({ source, sourceId }: Pick<Credit, 'source' | 'sourceId'>) => `${source}:${sourceId}`
  return (
    <select
      className={input['input']}
      aria-label={t('ui.payment.creditSource')}
      disabled={readOnly}
      value={keyOf(credit)}
      onChange={(event) => {
        const choice = choices.find((one) => keyOf(one) === event.target.value)
        if (choice !== undefined) onChoose(choice)
      }}
    >
      {offered.map((one) => (
        <option key={keyOf(one)} value={keyOf(one)}>
          {one.label}
        </option>
      ))}
    </select>
  )
}
