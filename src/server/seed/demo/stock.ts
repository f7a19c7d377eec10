import type { DateText } from '#base/date.ts'
import { exact, fixed, money, type Decimal, type Exact } from '#base/decimal.ts'
import { issue, receive, type Movement, type StockValue } from '#domain/inventory/costing.ts'
import type { Book } from './book.ts'
import type { Unit } from './company.ts'

interface Shelf {
  readonly itemId: number
  readonly unit: Unit
  stock: StockValue
  reserved: Exact
}

export interface StockDocument {
  readonly type: string
  readonly id: number
  readonly lineId: number | null
}

/** Stock of every item in every unit's main warehouse, at moving average; each change is a movement in the book. */
export class Stock {
  readonly #book: Book
  readonly #shelves = new Map<string, Shelf>()

  constructor(book: Book) {
    this.#book = book
  }

  /** What can still be promised. */
  available(unit: Unit, itemId: number): Exact {
    const shelf = this.#shelf(unit, itemId)
    return exact(shelf.stock.qty).minus(shelf.reserved)
  }

  onHand(unit: Unit, itemId: number): Exact {
    return exact(this.#shelf(unit, itemId).stock.qty)
  }

  /** Adds to what is promised; a negative quantity gives back. */
  reserve(unit: Unit, itemId: number, qty: Exact): void {
    const shelf = this.#shelf(unit, itemId)
    shelf.reserved = shelf.reserved.plus(qty)
    if (shelf.reserved.lt(0) || shelf.reserved.gt(shelf.stock.qty)) throw new Error(`Reservation of item ${itemId} in ${unit.code} is out of range`)
  }

  receive(type: '101' | '561', unit: Unit, itemId: number, qty: Decimal, cost: Decimal, day: DateText, at: string, document: StockDocument): void {
    const shelf = this.#shelf(unit, itemId)
    this.#move(type, shelf, receive(shelf.stock, qty, cost), day, at, document, null)
  }

  /** Issues at moving average and answers the movement with its id. */
  issue(unit: Unit, itemId: number, qty: Decimal, day: DateText, at: string, document: StockDocument): Movement & { readonly id: number } {
    const shelf = this.#shelf(unit, itemId)
    const movement = issue(shelf.stock, qty)
    if (exact(movement.after.qty).lt(0)) throw new Error(`Item ${itemId} in ${unit.code} would fall below zero`)
    return { ...movement, id: this.#move('601', shelf, movement, day, at, document, null) }
  }

  /** Writes where everything stands at the end. */
  close(): void {
    for (const shelf of this.#shelves.values()) {
      this.#book.add('stock_balance', { item_id: shelf.itemId, warehouse_id: shelf.unit.warehouseId, batch: '', on_hand: shelf.stock.qty, reserved: fixed(shelf.reserved, 3) })
      this.#book.add('stock_cost', { item_id: shelf.itemId, operating_unit_id: shelf.unit.id, stock_class: 'UNRESTRICTED', qty: shelf.stock.qty, value: money(shelf.stock.value) })
    }
  }

  #move(type: string, shelf: Shelf, movement: Movement, day: DateText, at: string, document: StockDocument, reversalOf: number | null): number {
    shelf.stock = movement.after
    return this.#book.add('stock_movement', {
      posted_at: at, posting_date: day, movement_type: type, item_id: shelf.itemId, warehouse_id: shelf.unit.warehouseId, operating_unit_id: shelf.unit.id, batch: '',
      stock_class: 'UNRESTRICTED', qty: movement.qty, unit_cost: movement.unitCost, cost_amount: movement.cost, doc_type: document.type, doc_id: document.id,
      doc_line_id: document.lineId, reversal_of_id: reversalOf, counterpart_movement_id: null,
    }).id
  }

  #shelf(unit: Unit, itemId: number): Shelf {
    const key = `${unit.id} ${itemId}`
    const known = this.#shelves.get(key)
    if (known !== undefined) return known
    const shelf: Shelf = { itemId, unit, stock: { qty: '0.000', value: '0.00' }, reserved: exact(0) }
    this.#shelves.set(key, shelf)
    return shelf
  }
}
