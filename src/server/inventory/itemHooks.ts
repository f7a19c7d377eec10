import { compare, quantityText } from '#base/decimal.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isSame } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

interface Unit extends Row {
  readonly uom: string
  readonly factor: string
}

/** Goods bear VAT on sales and no other tax. One name, one size: what an item says of the unit it is sold in is what its units say. */
export const itemHooks: DocumentHooks = {
  async beforeSave({ context, header, before, problem }) {
    const tax = header['tax_code_id']
    if (typeof tax === 'number' && tax !== before?.['tax_code_id'] && (await context.tx.first(sql`select 1 from tax_code where id = ${tax} and kind = 'PPN_OUT'`)) === undefined) problem(wrong('TaxCodeID', 'NOT_A_CHOICE.sales-tax'))
    if (before === undefined || !(['base_uom', 'sales_uom', 'pack_qty'] as const).some((column) => changes(column, header, before))) return
    const stand: Row = { ...before, ...header }
    const [base, sales, pack] = [textOf(stand, 'base_uom'), textOf(stand, 'sales_uom'), textOf(stand, 'pack_qty')]
    const units = await context.tx.rows<Unit>(sql`select uom, factor from item_uom where item_id = ${before.id} order by factor, uom`)
    const own = unitOf(units, base)
    if (own !== undefined && compare(own.factor, '1') !== 0) problem(wrong('BaseUom', 'INVALID.unit-factor', { unit: own.uom, factor: quantityText(own.factor), base }))
    if (isCalled(sales, base)) return
    const sold = unitOf(units, sales)
    if (sold === undefined && units.some(({ uom }) => !isCalled(uom, base))) problem(wrong('SalesUom', 'NOT_A_CHOICE.uom', { units: [base, ...units.map(({ uom }) => uom).filter((uom) => !isCalled(uom, base))] }))
    if (sold !== undefined && compare(sold.factor, pack) !== 0) problem(wrong('PackQty', 'INVALID.unit-factor', { unit: sold.uom, factor: quantityText(sold.factor), base }))
  },
}

export const itemUnitHooks: DocumentHooks = {
  async beforeSave({ context, header, before, problem }) {
    if (before !== undefined && !(['item_id', 'uom', 'factor'] as const).some((column) => changes(column, header, before))) return
    const stand: Row = { ...before, ...header }
    const item = await itemOf(context.tx, numberOf(stand, 'item_id'))
    if (item === undefined) return
    const uom = textOf(stand, 'uom')
    const size = isCalled(uom, item.base_uom) ? '1' : isCalled(uom, item.sales_uom) ? item.pack_qty : undefined
    if (size !== undefined && compare(size, textOf(stand, 'factor')) !== 0) problem(wrong('Factor', 'INVALID.unit-factor', { unit: uom, factor: quantityText(size), base: item.base_uom }))
  },
}

function itemOf(tx: Queries, id: number) {
  return tx.first<{ base_uom: string; sales_uom: string; pack_qty: string }>(sql`select base_uom, sales_uom, pack_qty from item where id = ${id}`)
}

function changes(column: string, header: Row, before: Row): boolean {
  return Object.hasOwn(header, column) && !isSame(before[column], header[column], { type: column === 'pack_qty' || column === 'factor' ? 'quantity' : 'text' })
}

function unitOf(units: readonly Unit[], name: string): Unit | undefined {
  return units.find(({ uom }) => isCalled(uom, name))
}

/** Orders know units however they are written. */
function isCalled(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}

