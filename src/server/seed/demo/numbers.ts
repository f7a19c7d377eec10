import { periodOf, type DateText } from '#base/date.ts'
import type { Unit } from './company.ts'

/** Draws document numbers as the running system does: gapless per series, operating unit and month. */
export class Numbers {
  readonly #last = new Map<string, { readonly series: string; readonly unitId: number; readonly period: string; value: number }>()

  next(series: string, unit: Unit, day: DateText): string {
    const period = periodOf(day)
    const key = `${series} ${unit.id} ${period}`
    const counter = this.#last.get(key) ?? { series, unitId: unit.id, period, value: 0 }
    this.#last.set(key, counter)
    counter.value++
    return `${series}/${unit.code}/${period.slice(2)}/${String(counter.value).padStart(5, '0')}`
  }

  /** Where every series stands. */
  counters(): readonly { readonly series: string; readonly unitId: number; readonly period: string; readonly value: number }[] {
    return [...this.#last.values()]
  }
}
