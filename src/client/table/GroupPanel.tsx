import { isGroupable } from '#api/viewFits.ts'
import { groupName } from '#api/listState.ts'
import type { Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import input from '../ui/input.module.css'
import { groupingsOf, groupLabel } from './groupFields.ts'
import type { GroupButtonProps } from './GroupButton.tsx'
import css from './GroupPanel.module.css'

/** One or two fields, the second within the first. */
export function GroupPanel({ fields, group, onChange, onToggleAll }: GroupButtonProps) {
  const [first, second] = group
  return (
    <div className={css['panel']}>
      <GroupChoice label={t('ui.group.by')} fields={fields} value={first} onChange={(next) => onChange(next === undefined ? [] : [next, ...group.slice(1).filter(({ field }) => field !== next.field)])} />
      {first !== undefined && (
        <GroupChoice label={t('ui.group.then')} fields={fields.filter(({ name }) => name !== first.field || first.by !== undefined)} value={second} onChange={(next) => onChange(next === undefined ? [first] : [first, next])} />
      )}
      {group.length > 0 && onToggleAll !== undefined && (
        <div className={css['deeds']}>
          <button type="button" onClick={() => onToggleAll(true)}>
            {t('ui.group.open-all')}
          </button>
          <button type="button" onClick={() => onToggleAll(false)}>
            {t('ui.group.close-all')}
          </button>
        </div>
      )}
    </div>
  )
}

interface GroupChoiceProps {
  readonly label: string
  readonly fields: readonly Field[]
  readonly value: Grouping | undefined
  readonly onChange: (value: Grouping | undefined) => void
}

function GroupChoice({ label, fields, value, onChange }: GroupChoiceProps) {
  const offered = fields.filter(({ type }) => isGroupable(type)).flatMap((field) => groupingsOf(field).map((grouping) => ({ field, grouping })))
  return (
    <label className={css['choice']}>
      {label}
      <select
        className={input['input']}
        value={value === undefined ? '' : groupName(value)}
        onChange={(event) => onChange(offered.find(({ grouping }) => groupName(grouping) === event.target.value)?.grouping)}
      >
        <option value="">{t('ui.group.none')}</option>
        {offered.map(({ field, grouping }) => (
          <option key={groupName(grouping)} value={groupName(grouping)}>
            {groupLabel(field, grouping)}
          </option>
        ))}
      </select>
    </label>
  )
}
