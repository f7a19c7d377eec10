import { businessZone } from '#base/businessZone.ts'

/** Turns moments into the wall clock of one time zone. The zone's offset is looked up once for each quarter of an hour met: the lookup is slow. */
export class LocalTime {
  readonly zone: string
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  /** A zone nobody knows is taken as that of the business. */
  constructor(zone: string = businessZone) {
    this.zone = isZone(zone) ? zone : businessZone
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone: this.zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
    })
  }

  /** Milliseconds of the wall clock as if it were UTC; undefined when the text is no moment. */
  wallClock(at: string): number | undefined {
    const instant = Date.parse(at)
    if (Number.isNaN(instant)) return undefined
    const quarter = Math.floor(instant / quarterHour)
    const known = this.#offsets.get(quarter)
    if (known !== undefined) return instant + known
    const offset = this.#offsetAt(quarter * quarterHour)
    this.#offsets.set(quarter, offset)
    return instant + offset
  }

  /** `2026-11-20 14:05:09`; '' when the text is no moment. */
  text(at: string): string {
    const wall = this.wallClock(at)
    return wall === undefined ? '' : new Date(wall).toISOString().slice(0, 19).replace('T', ' ')
  }

  #offsetAt(instant: number): number {
    const parts = Object.fromEntries(this.#format.formatToParts(instant).map(({ type, value }) => [type, value]))
    return Date.parse(`${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}:${parts['second']}Z`) - instant
  }
}

const quarterHour = 900_000

function isZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+\-/]{0,60}$/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
