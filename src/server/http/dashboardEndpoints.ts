import type { DashboardScreen } from '#meta/resolved.ts'
import { requireScreen } from '#server/access/guards.ts'
import { tileData, tilesFor } from '#server/dashboards/tiles.ts'
import { fail } from '#server/problemError.ts'
import type { Api, Call } from './api.ts'

/** Which tiles a user sees, and the numbers of each by itself. */
export function dashboardEndpoints(api: Api): void {
  const tag = 'Dashboards'
  api.get('/api/v1/dashboard/:screen', { summary: 'The tiles the user may see, without their numbers', tag }, async (call) => ({ tiles: tilesFor(call.services, call.user, dashboardIn(call)) }))
  api.get('/api/v1/dashboard/:screen/:tile', { summary: 'The numbers of one tile, within the scope of the user', tag }, async (call) =>
    tileData(call.services, call.user, dashboardIn(call), call.params['tile'] ?? ''))
}

function dashboardIn(call: Call): DashboardScreen {
  const { screens } = call.services.metadata
  const id = call.params['screen'] ?? ''
  const screen = Object.hasOwn(screens, id) ? screens[id] : undefined
  if (screen?.kind !== 'dashboard') return fail('NOT_FOUND.address')
  requireScreen(call.services.metadata, call.user, screen)
  return screen
}
