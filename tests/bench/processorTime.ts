import fs from 'node:fs'
import type { Engine } from './bench.ts'

/** Seconds of processor that programs have used since they began. */
interface ProcessorTime {
  readonly server: number
  readonly database: number
}

/** Ticks of the fields utime and stime a second: what Linux tells programs, whatever its kernel counts in. */
const ticksASecond = 100

/** Of this process and those it has begun that still run, and of PostgreSQL's; undefined where the system does not tell (/proc of Linux does). */
export function processorTime(): ProcessorTime | undefined {
  const told = readAll()
  if (told === undefined) return undefined
  const own = new Set([process.pid])
  // A process is begun after its parent, so numbers go up but for the rare time they begin anew.
  for (const { id, parent } of told.toSorted((a, b) => a.id - b.id)) if (own.has(parent)) own.add(id)
  const sum = (some: typeof told): number => some.reduce((seconds, one) => seconds + one.seconds, 0)
  return { server: sum(told.filter(({ id }) => own.has(id))), database: sum(told.filter(({ name }) => name.startsWith('postgres'))) }
}

function readAll(): readonly { readonly id: number; readonly parent: number; readonly name: string; readonly seconds: number }[] | undefined {
  if (!fs.existsSync('/proc/self/stat')) return undefined
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    const stat = read(`/proc/${id}/stat`)
    // The name stands in brackets and may hold anything: `17 (postgres: main) S 1 …`, then parent at 1, utime at 11 and stime at 12.
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    return end < 0 ? [] : [{ id: Number(id), parent: Number(fields[1]), name: stat.slice(stat.indexOf('(') + 1, end), seconds: (Number(fields[11]) + Number(fields[12])) / ticksASecond }]
  })
}

/** Empty when the process has ended meanwhile. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What one of `count` pieces of work has cost since `before`, as words to put behind a measure; the embedded database is part of the server. Empty where the system does not tell. */
export function spentSince(before: ProcessorTime | undefined, count: number, engine: Engine): string {
  const now = processorTime()
  if (before === undefined || now === undefined) return ''
  const each = (seconds: number): string => ((seconds * 1000) / count).toFixed(1)
  const server = each(now.server - before.server)
  return engine === 'embedded' ? `; each takes ${server} ms of a processor` : `; each takes ${server} ms of a processor in the server and ${each(now.database - before.database)} in the database`
}
