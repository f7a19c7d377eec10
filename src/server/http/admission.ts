import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '#server/problemError.ts'

/** What is let in is answered within about so long. */
const mostWaitSeconds = 2
/** So many at a time are served whatever the server has been able to do. */
const leastAtOnce = 32
/** Until it has been busy: what the smallest machine does. */
const firstPerSecond = 60
/** Calls under way from which on what is answered tells what the server can do, not what it is asked. */
const busyFrom = 8
const measureMs = 1_000
const weightOfLast = 0.3

/**
 * How many calls at a time a server can answer in good time: what it has answered a second while it was busy, times what a caller may be
 * kept waiting. Whoever comes beyond that is better told at once than kept.
 */
export class Capacity {
  #perSecond = firstPerSecond
  #underWay = 0
  #since: number
  #answered = 0
  #wasBusy = false
  readonly #now: () => number

  /** `now`: milliseconds that only go on. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#since = now()
  }

  get isFull(): boolean {
    this.#measure()
    return this.#underWay >= Math.max(leastAtOnce, this.#perSecond * mostWaitSeconds)
  }

  /** Takes one more call in, unless there are too many. */
  enter(): boolean {
    if (this.isFull) return false
    this.#underWay += 1
    return true
  }

  leave(): void {
    this.#underWay -= 1
    this.#answered += 1
    this.#measure()
  }

  #measure(): void {
    const now = this.#now()
    const passed = now - this.#since
    if (passed >= measureMs) {
      if (this.#wasBusy) this.#perSecond += weightOfLast * ((this.#answered * 1_000) / passed - this.#perSecond)
      this.#since = now
      this.#answered = 0
      this.#wasBusy = true
    }
    if (this.#underWay < busyFrom) this.#wasBusy = false
  }
}

const secondsToWait = 2
/** Never refused for being too many: who asks whether the server lives, who comes in or goes, and what stays open without asking for anything. */
const always = /^\/api\/(v1\/(health|login|logout|callback|auth\/\w+|notifications\/stream)|account\/)/

/** Calls that change something have a limit beside that of all: lists are answered many times as fast, and what both can do together would let too many orders wait. */
export interface Capacities {
  readonly all: Capacity
  readonly changes: Capacity
}

/** Refuses calls beyond what the server can answer in good time, before anything is asked of the database for them. */
export function admitCalls(app: FastifyInstance, { all, changes }: Capacities): void {
  const entered = new WeakMap<FastifyRequest, readonly Capacity[]>()
  const leave = (request: FastifyRequest): void => {
    for (const capacity of entered.get(request) ?? []) capacity.leave()
    entered.delete(request)
  }
  const limitsOf = (request: FastifyRequest): readonly Capacity[] => (!isCounted(request) ? [] : request.method === 'GET' ? [all] : [all, changes])
  app.addHook('onRequest', async (request) => {
    if (limitsOf(request).some(({ isFull }) => isFull)) refuse()
  })
  // Counted from when all of it is here to when its answer is: how long a caller takes to send or to fetch says nothing of the server.
  app.addHook('preValidation', async (request) => {
    const limits = limitsOf(request)
    if (limits.some(({ isFull }) => isFull)) refuse()
    for (const capacity of limits) capacity.enter()
    entered.set(request, limits)
  })
  app.addHook('onSend', async (request) => leave(request))
  app.addHook('onResponse', async (request) => leave(request))
}

function refuse(): never {
  fail('SERVICE_UNAVAILABLE.busy', {}, { data: { seconds: secondsToWait } })
}

function isCounted({ method, url, headers }: FastifyRequest): boolean {
  // Files are read while they come.
  return url.startsWith('/api/') && !always.test(url) && !(method === 'POST' && headers['content-type']?.startsWith('multipart/') === true)
}
