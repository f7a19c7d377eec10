import type { WireRecord } from '#api/envelope.ts'
import { formatMoney, formatNumber, formatPrice } from '../app/format.ts'
import { t } from '../app/messages.ts'
import css from './print.module.css'
import { Party } from './SheetHead.tsx'
import type { Sheet, SheetRow } from './sheet.ts'
import { terbilang } from './terbilang.ts'
import { decimal, lines, text } from './wire.ts'

/** A party to it, as it is named and registered. */
export interface TaxParty {
  readonly name: string
  readonly address: WireRecord | undefined
  readonly npwp: string
}

/** What differs between the nota retur a customer signs and the one we make out to a vendor. */
export interface TaxReturnWords {
  readonly buyer: TaxParty
  readonly seller: TaxParty
  /** The tax invoice it takes back: number and day; empty where it is not known. */
  readonly faktur: readonly [number: string, day: string]
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly stamp: string | undefined
}

/** Nota retur: made by the buyer for goods sent back or credited, to the seller, and signed by the buyer. */
export function taxReturnSheet(record: WireRecord, { buyer, seller, faktur, facts, stamp }: TaxReturnWords): Sheet {
  const title = t('ui.print.taxReturn')
  const number = text(record, 'NotaReturNumber')
  const [fakturNumber, fakturDay] = faktur
  return {
    title,
    code: number || text(record, 'Code'),
    issuer: buyer.name,
    ...(stamp === undefined ? {} : { stamp }),
    head: (
      <>
        <header className={css['head']}>
          <div />
          <div className={css['title']}>
            <h1>{title}</h1>
            <p>
              {t('field.nota_retur_number')}: {number || '………………………'}
            </p>
            <p>
              {t('ui.print.ofTaxInvoice')}: {fakturNumber || '………………………'}
              {fakturDay === '' ? '' : ` · ${fakturDay}`}
            </p>
          </div>
        </header>
        <div className={css['parties']}>
          <Party heading={t('ui.print.buyer')} {...buyer} />
          <Party heading={t('ui.print.seller')} {...seller} />
          <dl className={css['facts']}>
            {facts.map(([label, value]) => (
              <Fact key={label} label={label} value={value} />
            ))}
          </dl>
        </div>
      </>
    ),
    columns: [
      { title: t('ui.print.no'), width: 6 },
      { title: t('ui.print.goods'), width: 46 },
      { title: t('field.qty'), width: 14, isNumber: true },
      { title: t('field.price'), width: 16, isNumber: true },
      { title: t('field.amount'), width: 18, isNumber: true },
    ],
    rows: rowsOf(record),
    tail: [<Sums key="sums" record={record} />, <Signed key="sign" by={t('ui.print.buyer')} name={buyer.name} />],
  }
}

/** Amount in words beside tax base, VAT and total. */
export function Sums({ record }: { readonly record: WireRecord }) {
  return (
    <div className={css['bottom']}>
      <p className={css['words']}>
        {t('ui.print.words')} <strong>{terbilang(decimal(record, 'Total'))}</strong>
      </p>
      <dl className={css['sums']}>
        <Fact label={t('field.dpp')} value={formatMoney(decimal(record, 'Dpp'))} />
        <Fact label={t('field.ppn')} value={formatMoney(decimal(record, 'Ppn'))} />
        <div className={css['grand']}>
          <dt>{t('field.total')}</dt>
          <dd>{formatMoney(decimal(record, 'Total'))}</dd>
        </div>
      </dl>
    </div>
  )
}

/** Room to sign, over the name of who does. */
export function Signed({ by, name }: { readonly by: string; readonly name: string }) {
  return (
    <div className={css['sign']}>
      <div>
        {by}
        <span />
        {name}
      </div>
    </div>
  )
}

export function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return value === '' ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A record that has its address itself. */
export function addressIn(record: WireRecord | undefined): WireRecord | undefined {
  return record !== undefined && text(record, 'Address') !== '' ? record : undefined
}

/** The lines; without any, what it is for, whole. */
export function rowsOf(record: WireRecord): readonly SheetRow[] {
  const all = lines(record)
  if (all.length === 0) return [{ key: 'whole', cells: ['1', text(record, 'Description') || text(record, 'Note'), '', '', formatMoney(decimal(record, 'Dpp'))] }]
  return all.map((line, i) => ({
    key: text(line, 'ID') || String(i),
    cells: [
      String(i + 1), [text(line, 'ItemCode'), text(line, 'ItemName'), text(line, 'Description')].filter((part) => part !== '').join(' '),
      Number(decimal(line, 'Qty')) === 0 ? '' : `${formatNumber(decimal(line, 'Qty'))} ${text(line, 'Uom')}`, priceOf(line), formatMoney(decimal(line, 'Amount')),
    ],
  }))
}

/** Goods that go back are priced as they were billed. */
function priceOf(line: Readonly<Record<string, unknown>>): string {
  const price = ['Price', 'BilledPrice'].map((key) => decimal(line, key)).find((one) => Number(one) !== 0)
  return price === undefined ? '' : formatPrice(price)
}
