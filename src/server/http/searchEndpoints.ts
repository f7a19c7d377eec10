import { searchEverything } from '#server/documents/search.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Api } from './api.ts'
import { numberIn } from './read.ts'

const most = 20

/** The search over everything. */
export function searchEndpoints(api: Api): void {
  api.get(
    '/api/v1/search',
    {
      summary: 'Documents by number, customers and items by code or name, best first: only what the user may see and open',
      tag: 'Search',
      query: { search: 'At least three letters or digits of a code or name; several words must all occur', length: 'At most so many of each entity, 1 to 20, 5 when absent' },
    },
    async ({ services, user, query }) => {
      const length = numberIn(query, 'length') ?? 5
      if (length < 1 || length > most) return invalid([wrong('length', 'TOO_LARGE.between', { min: 1, max: most })])
      return { records: await searchEverything(services, services.database, user, query['search'] ?? '', length) }
    },
  )
}
