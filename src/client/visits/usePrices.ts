import { useEffect, useState } from 'react'
import type { DayCustomer, SoldItem, UsualItem, VisitDay, VisitPrices } from '#api/visits.ts'
import { askPrices } from './delivery.ts'
import { keepPrices, keptPrices, type KeptPrices } from './store.ts'

/** Prices change in the course of a day; those on the device are of this hour. */
const freshMs = 3_600_000

/** What may be sold today and for how much: from the device, and from the server where that is of another day, of other customers or too old. */
export function usePrices(user: number, day: VisitDay | undefined, isReached: boolean): VisitPrices | undefined {
  const [kept, setKept] = useState<KeptPrices>()
  const customers = day?.Customers.filter(({ Visit }) => Visit === null || Visit.ID > 0).map(({ ID }) => ID).join() ?? ''
  useEffect(() => {
    let isHere = true
    const read = async (): Promise<void> => {
      const before = await keptPrices(user)
      if (isHere) setKept(before)
      if (day === undefined || !isReached || isFresh(before, day.Day, customers)) return
      const prices = await askPrices()
      if (prices === undefined || !isHere) return
      const now = { prices, at: new Date().toISOString() }
      await keepPrices(user, now)
      setKept(now)
    }
    void read()
    return () => {
      isHere = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- of the day only its date and its customers count
  }, [user, day?.Day, customers, isReached])
  return kept?.prices
}

function isFresh(kept: KeptPrices | undefined, day: string, customers: string): boolean {
  if (kept === undefined || kept.prices.Day !== day || Date.now() - Date.parse(kept.at) > freshMs) return false
  return customers.split(',').every((id) => id === '' || id in kept.prices.Prices)
}

/** What can be sold to a customer; one the device has no prices of may order everything there is. */
export function soldTo(prices: VisitPrices | undefined, { ID, Items }: DayCustomer): readonly UsualItem[] {
  const usual = new Map(Items.map((item) => [item.ID, item]))
  const own = prices?.Prices[String(ID)]
  const all = prices?.Items.flatMap((item: SoldItem, at): UsualItem[] => {
    const price = own?.[at] ?? null
    return own !== undefined && price === null ? [] : [{ ...item, Price: price ?? usual.get(item.ID)?.Price ?? null }]
  }) ?? []
  return all.length > 0 ? all : Items
}

/** Of what can be sold what all words of a search are found in, by code or name. */
export function found(items: readonly UsualItem[], search: string): readonly UsualItem[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  return items.filter(({ Code, Name }) => {
    const text = `${Code} ${Name}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
