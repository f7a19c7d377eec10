import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import css from '../table/FilterBar.module.css'
import { allCustomers, allTerritories, allUnits, type ScopeText, type Selection } from './selection.ts'

interface ScopeChipsProps {
  readonly selection: Selection
  /** As it stands in the address. */
  readonly chosen: ScopeText
  readonly onSelect: (change: Partial<Selection>) => void
}

/** What is chosen above a list, as chips beside its own filters. */
export function ScopeChips({ selection: { unit, territory, selectedCustomers }, chosen, onSelect }: ScopeChipsProps) {
  const customers = selectedCustomers.length > 3 ? t('ui.filter.several', { n: selectedCustomers.length }) : selectedCustomers.map(({ name }) => name).join(', ')
  const chips = [
    { name: 'unit', text: `${t('field.operating_unit_id')}: ${unit.Name}`, all: { unit: allUnits } },
    { name: 'territory', text: `${t('field.territory_id')}: ${territory.TerritoryName}`, all: { territory: allTerritories } },
    { name: 'customers', text: `${t('field.customer_id')}: ${customers}`, all: { selectedCustomers: [allCustomers] } },
  ] as const
  return chips
    .filter(({ name }) => chosen[name] !== undefined)
    .map(({ name, text, all }) => (
      <span key={name} className={css['chip']}>
        <span className={css['words']}>{text}</span>
        <button
          type="button"
          className={css['remove']}
          aria-label={t('ui.filter.remove', { filter: text })}
          onClick={({ currentTarget }) => {
            // The button goes with its chip; keys go on at "Filter".
            currentTarget.closest('[role=group]')?.querySelector<HTMLElement>(`.${css['add']}`)?.focus()
            onSelect(all)
          }}
        >
          <Icon name="close" size={12} />
        </button>
      </span>
    ))
}
