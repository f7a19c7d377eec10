import type { Filter } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { inOrder } from './inOrder.ts'
import css from './TurnRound.module.css'

/** Beside the chip of a range that came the wrong way round (an address, a view): nothing lies in it, and one press puts it right. */
export function TurnRound({ filter, onTurn }: { readonly filter: Filter; readonly onTurn: (filter: Filter) => void }) {
  const turned = inOrder(filter)
  if (turned === filter) return null
  return (
    <button type="button" className={css['turn']} onClick={() => onTurn(turned)}>
      <Icon name="warning" size={14} /> {t('ui.filter.turned')}
    </button>
  )
}
