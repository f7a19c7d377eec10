import { useCallback, useEffect, useRef, useState } from 'react'
import type { DayCustomer, VisitDay } from '#api/visits.ts'
import type { Said } from '#api/problems.ts'
import { bearAbsence, newKey } from '../data/http.ts'
import { keep } from '../data/kept.ts'
import { askDay, onBox, putInBox, sendBox } from './delivery.ts'
import { merged, withVisit } from './dayState.ts'
import type { Entry } from './outbox.ts'
import { placeNow } from './position.ts'
import { boxStore, keepDay, keptDay, type KeptDay } from './store.ts'

const againMs = 30_000

export interface DayState {
  readonly kept: KeptDay | undefined
  readonly box: readonly Entry[]
  /** The server answered last. */
  readonly isReached: boolean
  readonly refusal: Said | undefined
}

/** The salesman's day: what the server says of it, what is still on its way there, and what he can do. */
export function useDay(user: number) {
  const [state, setState] = useState<DayState>({ kept: undefined, box: [], isReached: true, refusal: undefined })
  const latest = useRef<KeptDay | undefined>(undefined)
  const read = useCallback(async (isAsking: boolean) => {
    const here = await keptDay(user)
    const answer = isAsking ? await askDay() : undefined
    const box = await boxStore.all(user)
    keep(`visits:${user}`, String(box.length))
    const isRefused = answer !== undefined && 'status' in answer
    const day = answer !== undefined && !isRefused ? merged(answer, here?.day, box) : undefined
    const kept = day === undefined ? here : { day, at: new Date().toISOString() }
    latest.current = kept
    if (day !== undefined && kept !== undefined) await keepDay(user, kept)
    setState((before) => ({ kept, box, isReached: isAsking ? answer !== undefined : before.isReached, refusal: isRefused ? answer.said : undefined }))
  }, [user])
  useEffect(() => {
    bearAbsence(true)
    const go = (): void => void sendBox(user).then(() => read(true))
    void read(false).then(go)
    const seen = (): void => void (document.visibilityState === 'visible' && go())
    const timer = setInterval(go, againMs)
    window.addEventListener('online', go)
    document.addEventListener('visibilitychange', seen)
    const off = onBox(() => void read(navigator.onLine))
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', go)
      document.removeEventListener('visibilitychange', seen)
      off()
      bearAbsence(false)
    }
  }, [user, read])
  const note = async (day: VisitDay): Promise<void> => {
    latest.current = { day, at: latest.current?.at ?? '' }
    await keepDay(user, latest.current)
  }
  const act = (kind: Entry['kind'], customer: DayCustomer, visit: string, path: string, body: Entry['body'], file?: File): Promise<string> =>
    putInBox(user, { kind, visit, customer: { id: customer.ID, name: customer.Name }, path, body, file })
  return {
    ...state,
    reload: () => void sendBox(user).then(() => read(true)),
    arrive: async (customer: DayCustomer): Promise<void> => {
      const day = latest.current?.day
      if (day === undefined) return
      const [key, at] = [newKey(), new Date().toISOString()]
      const place = await placeNow()
      await note(withVisit(day, customer, { ID: 0, VisitKey: key, Status: 8, CheckInAt: at, Result: null, DistanceM: null }))
      await act('check-in', customer, key, '/api/v1/command/check-in', { VisitKey: key, CustomerID: customer.ID, At: at, ...place })
    },
    leave: async (customer: DayCustomer, body: Readonly<Record<string, unknown>>): Promise<void> => {
      const day = latest.current?.day
      const key = customer.Visit?.VisitKey
      if (day === undefined || key === undefined) return
      const at = new Date().toISOString()
      const place = await placeNow()
      await note(withVisit(day, customer, { Status: 3, Result: String(body['Result']) }))
      await act('check-out', customer, key, '/api/v1/command/check-out', { VisitKey: key, At: at, ...place, ...body })
    },
    order: (customer: DayCustomer, body: Readonly<Record<string, unknown>>): Promise<string> =>
      act('order', customer, customer.Visit?.VisitKey ?? '', '/api/v1/data/sales-order?next=submit', { CustomerID: customer.ID, ...body }),
    collect: (customer: DayCustomer, amount: string): Promise<string> => {
      const key = customer.Visit?.VisitKey ?? ''
      return act('collection', customer, key, '/api/v1/command/collect-cash', { VisitKey: key, At: new Date().toISOString(), Amount: amount })
    },
    photo: async (customer: DayCustomer, file: File): Promise<void> => {
      const key = customer.Visit?.VisitKey ?? ''
      if (customer.Visit !== null && customer.Visit.ID > 0) await boxStore.keepVisitId(key, customer.Visit.ID)
      await act('photo', customer, key, '/api/v1/data/customer-visit/{ID}/attachments', {}, file)
    },
  }
}

export type Day = ReturnType<typeof useDay>
