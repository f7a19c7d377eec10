import { limitReasons } from '#server/credit/limitHooks.ts'
import { setting } from '#server/settings.ts'
import type { DocumentHooks } from './hooks.ts'

/** A new customer of whom nobody says whether he asks for an invoice exchange gets what the company has settled. */
export const customerHooks: DocumentHooks = {
  async beforeSave({ context, before, header }) {
    if (before !== undefined || Object.hasOwn(header, 'requires_ttf')) return
    header['requires_ttf'] = await setting(context.tx, 'ttf_required_default', typeof header['operating_unit_id'] === 'number' ? header['operating_unit_id'] : null, false)
  },
  newReasons: limitReasons,
}
