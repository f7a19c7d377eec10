import { compared } from '#base/unseen.ts'
import { useAtom, useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { t } from '../app/messages.ts'
import { formatNumber } from '../app/format.ts'
import { sessionAtom } from '../data/session.ts'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import { Popover } from '../ui/Popover.tsx'
import css from './ScopeBar.module.css'
import { allCustomers, allTerritories, allUnits, territoryOptions, toggleCustomer, unitOptions, type CustomerOption, type ScopeField } from './selection.ts'
import { customersAtom, selectionAtom, unitsAtom } from './selectionStore.ts'

/** Which unit, territory and customers the lists of these areas show; one choice for all of them. */
export function ScopeBar({ fields }: { readonly fields: readonly ScopeField[] }) {
  const id = useId()
  const user = useAtomValue(sessionAtom)?.user
  const units = useAtomValue(unitsAtom)
  const [selection, select] = useAtom(selectionAtom)
  if (user === undefined || units.length === 0) return null
  const offeredUnits = unitOptions(user, units)
  const offeredTerritories = territoryOptions(user, units, selection.unit)
  return (
    <div className={css['bar']} role="group" aria-label={t('ui.scope')}>
      {fields.includes('operating_unit_id') && (
        <label className={css['choice']} htmlFor={`${id}-unit`}>
          <span>{t('field.operating_unit_id')}</span>
          <select
            id={`${id}-unit`}
            className={input['input']}
            value={selection.unit.ID}
            onChange={(event) => {
              const unit = units.find((one) => one.ID === Number(event.target.value)) ?? allUnits
              const isInside = unit.ID === 0 || unit.Territories.some((one) => one.TerritoryID === selection.territory.TerritoryID)
              select({ unit, ...(isInside ? {} : { territory: allTerritories }) })
            }}
          >
            {user.territory_id !== 0 && units.length > 1 && <option value={0}>{t('ui.scope.mine')}</option>}
            {offeredUnits.map((unit) => (
              <option key={unit.ID} value={unit.ID}>
                {unit.Name}
              </option>
            ))}
          </select>
        </label>
      )}
      {fields.includes('territory_id') && (
        <label className={css['choice']} htmlFor={`${id}-territory`}>
          <span>{t('field.territory_id')}</span>
          <select
            id={`${id}-territory`}
            className={input['input']}
            value={selection.territory.TerritoryID}
            onChange={(event) => select({ territory: offeredTerritories.find((one) => one.TerritoryID === Number(event.target.value)) ?? allTerritories })}
          >
            {user.territory_id !== 0 && <option value={0}>{t('ui.scope.mine')}</option>}
            {offeredTerritories.map((territory) => (
              <option key={territory.TerritoryID} value={territory.TerritoryID}>
                {territory.TerritoryName}
              </option>
            ))}
          </select>
        </label>
      )}
      {fields.includes('customer_id') && (
        <div className={css['choice']}>
          <span>{t('field.customer_id')}</span>
          <Popover
            label={t('ui.scope.customers')}
            triggerClass={css['customers']}
            className={css['layer']}
            trigger={
              <>
                <span>{labelOf(selection.selectedCustomers)}</span>
                <Icon name="chevron" size={14} />
              </>
            }
          >
            {() => <Customers selected={selection.selectedCustomers} onSelect={(selectedCustomers) => select({ selectedCustomers })} />}
          </Popover>
        </div>
      )}
    </div>
  )
}

const mostShown = 100

interface CustomersProps {
  readonly selected: readonly CustomerOption[]
  readonly onSelect: (selected: readonly CustomerOption[]) => void
}

function Customers({ selected, onSelect }: CustomersProps) {
  const customers = useAtomValue(customersAtom)
  const [search, setSearch] = useState('')
  const typed = compared(search)
  const chosen = selected.filter((one) => one.ID !== 0)
  const others = customers.filter((one) => !chosen.some((known) => known.ID === one.ID))
  const found = typed === '' ? others : others.filter((one) => compared(one.code).includes(typed) || compared(one.name).includes(typed))
  const option = (customer: CustomerOption) => (
    <label key={customer.ID} className={css['option']}>
      <input type="checkbox" className={input['check']} checked={selected.some((one) => one.ID === customer.ID)} onChange={() => onSelect(toggleCustomer(selected, customer))} />
      <span>{customer.name}</span>
      {customer.ID !== 0 && <span className={css['code']}>{customer.code}</span>}
    </label>
  )
  return (
    <>
      <input className={input['input']} type="search" aria-label={t('ui.scope.find')} placeholder={t('ui.scope.find')} value={search} onChange={(event) => setSearch(event.target.value)} />
      <div className={css['options']}>
        {chosen.map(option)}
        {found.slice(0, mostShown).map(option)}
        {found.length > mostShown && <p className={css['more']}>{t('ui.scope.more', { n: formatNumber(found.length - mostShown) })}</p>}
        {found.length === 0 && <p className={css['more']}>{t('ui.nothing-found')}</p>}
      </div>
    </>
  )
}

function labelOf(selected: readonly CustomerOption[]): string {
  const [first = allCustomers] = selected
  return selected.length > 1 ? t('ui.scope.several', { n: formatNumber(selected.length) }) : first.name
}
