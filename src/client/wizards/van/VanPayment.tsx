import type { WireRecord } from '#api/envelope.ts'
import { formatMoney, formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { NumberEntry } from '../../form/TextEntry.tsx'
import { Button } from '../../ui/Button.tsx'
import { describedBy, Field } from '../../ui/Field.tsx'
import css from './VanSale.module.css'

interface VanPaymentProps {
  readonly record: WireRecord & { readonly Lines: readonly WireRecord[] }
  readonly received: string
  readonly problem: string | undefined
  readonly onReceived: (amount: string) => void
}

/** What the sale comes to, line by line, and the money the customer gives for it. */
export function VanPayment({ record, received, problem, onReceived }: VanPaymentProps) {
  const total = String(record['Total'] ?? '0')
  return (
    <>
      <dl className={css['sums']}>
        {record.Lines.map((line, i) => (
          <Line key={i} line={line} />
        ))}
        <dt>{t('field.dpp')}</dt>
        <dd>{formatMoney(record['Dpp'])}</dd>
        <dt>{t('field.ppn')}</dt>
        <dd>{formatMoney(record['Ppn'])}</dd>
        <dt className={css['strong']}>{t('field.total')}</dt>
        <dd className={css['strong']}>{formatMoney(total)}</dd>
      </dl>
      <div className={css['choices']}>
        <Button aria-pressed={received === total} look={received === total ? 'positive' : 'default'} onClick={() => onReceived(total)}>
          {t('ui.van-sale.cash')}
        </Button>
        <Button aria-pressed={received === '0'} look={received === '0' ? 'positive' : 'default'} onClick={() => onReceived('0')}>
          {t('ui.van-sale.credit')}
        </Button>
      </div>
      <Field id="van-received" label={t('ui.van-sale.received')} errors={problem === undefined ? [] : [problem]}>
        <NumberEntry id="van-received" value={received} type="money" invalid={problem !== undefined} describedBy={describedBy('van-received')} onChange={(value) => onReceived(value ?? '0')} onUnread={() => undefined} />
      </Field>
    </>
  )
}

function Line({ line }: { readonly line: WireRecord }) {
  const isFree = line['IsFree'] === true
  return (
    <>
      <dt>
        {formatNumber(line['Qty'])} {String(line['Uom'] ?? '')} {String(line['ItemName'] ?? '')}
      </dt>
      <dd>{isFree ? t('ui.van-sale.free') : formatMoney(line['Total'])}</dd>
    </>
  )
}
