import { useCallback } from 'react'
import { useNavigate, useSearchParams, type NavigateOptions } from 'react-router-dom'

/** What becomes of the query: these parameters, where undefined takes one away, beside those there are; or all of it. */
type Change = Readonly<Record<string, string | undefined>> | ((before: URLSearchParams) => URLSearchParams)

export type SetUrlQuery = (change: Change, options?: NavigateOptions) => void

/**
 * The query of the page's address, and the way to change it. A change is made to what the address is then: react-router's own begins with what it
 * was when the page was last drawn, so that whoever waits (a search for its last letter) would take back what was opened meanwhile.
 */
export function useUrlQuery(): readonly [URLSearchParams, SetUrlQuery] {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const set = useCallback<SetUrlQuery>((change, options) => {
    const before = new URLSearchParams(window.location.search)
    void navigate(`?${String(typeof change === 'function' ? change(before) : changed(before, change))}`, options)
  }, [navigate])
  return [query, set]
}

function changed(query: URLSearchParams, change: Readonly<Record<string, string | undefined>>): URLSearchParams {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return query
}
