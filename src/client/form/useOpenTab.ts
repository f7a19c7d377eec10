import { useState } from 'react'
import { useUrlQuery } from '../app/urlQuery.ts'

/** The tab shown and how to show another: of steps the address says which (`tab`, from 0). */
export function useOpenTab(inAddress: boolean, tabs: readonly { readonly id: string }[]): readonly [string | undefined, (id: string) => void] {
  const [own, setOwn] = useState(tabs[0]?.id)
  const [query, setQuery] = useUrlQuery()
  if (!inAddress) return [own, setOwn]
  const asked = query.get('tab')
  const at = asked !== null && /^\d{1,2}$/.test(asked) ? Number(asked) : 0
  return [(tabs[at] ?? tabs[0])?.id, (id) => setQuery({ tab: String(Math.max(0, tabs.findIndex((tab) => tab.id === id))) })]
}
