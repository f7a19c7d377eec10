/** One number against its stated limit. */
export interface Measure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly limit: number
  /** 'most': the value may not exceed the limit; 'least': may not fall below it. */
  readonly bound: 'most' | 'least'
}

export type Engine = 'embedded' | 'postgres'

export interface BenchOptions {
  readonly engines: readonly Engine[]
  /** Invoices of the large database. */
  readonly invoices: number
  readonly log: (line: string) => void
}

/** A module of this folder: `npm run bench -- <name>` runs it. */
export type Run = (options: BenchOptions) => Promise<readonly Measure[]>

/** Value below which a share of the samples lies: 0.5 is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Milliseconds of each of `rounds` calls, after a few that are not counted. */
export async function times(rounds: number, work: (round: number) => Promise<unknown>, warmUp = 5): Promise<number[]> {
  for (let round = 0; round < warmUp; round++) await work(-1 - round)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work(round)
    samples.push(performance.now() - started)
  }
  return samples
}

/** Runs `count` pieces of work, `atOnce` side by side; answers how many a second. */
export async function perSecond(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let n = next++; n < count; n = next++) await work(n)
  }))
  return (count * 1000) / (performance.now() - started)
}

export function verdict(measure: Measure): 'PASS' | 'FAIL' {
  return (measure.bound === 'most' ? measure.value <= measure.limit : measure.value >= measure.limit) ? 'PASS' : 'FAIL'
}
