import type { Promotion } from './masters.ts'

/** Of promotions that do not go together those somebody has chosen stand, and what competes with them does not. A code of none of them chooses nothing. */
export function withChoices(promotions: readonly Promotion[], codes: readonly string[]): readonly Promotion[] {
  const chosen = promotions.filter(({ code }) => codes.includes(code))
  if (chosen.length === 0) return promotions
  return promotions.filter((promotion) => chosen.includes(promotion) || !chosen.some((one) => competes(one, promotion)))
}

/** Never given beside each other, wherever both apply. */
export function competes(one: Promotion, other: Promotion): boolean {
  if (one.id === other.id) return false
  if (one.stacking === 'EXCLUSIVE' || other.stacking === 'EXCLUSIVE') return true
  return one.stacking === 'BEST_OF_GROUP' && other.stacking === 'BEST_OF_GROUP' && (one.stackGroup ?? '') === (other.stackGroup ?? '')
}
