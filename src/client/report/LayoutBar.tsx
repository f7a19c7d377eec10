import { useId, useState } from 'react'
import type { LayoutQuery } from '#meta/placeLink.ts'
import { drawnTypes, type GroupDimension, type ReportScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { groupLabel } from '../charts/groupText.ts'
import { comparable, firstGroups, isDated, isGrouped, mostGroups, shows, type ReportLayout } from '../pages/reportState.ts'
import { Button } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { useMedia } from '../ui/useMedia.ts'
import type { ChartPlan } from './chartPlan.ts'
import css from './LayoutBar.module.css'

interface LayoutBarProps {
  readonly screen: ReportScreen
  readonly layout: ReportLayout
  /** The chart on screen; undefined: none. */
  readonly plan: ChartPlan | undefined
  readonly onChange: (change: LayoutQuery) => void
}

/** How the report is put together: single rows or groups, what stands across, what it is compared with, table or chart. */
export function LayoutBar({ screen, layout, plan, onChange }: LayoutBarProps) {
  const isSummary = isGrouped(layout)
  const { rows, across, compare, show } = layout
  const offered = [...screen.groups, ...screen.across.filter(({ key }) => !screen.groups.some((group) => group.key === key))]
  const used = [...rows, ...(across === undefined ? [] : [across])]
  const earlier = comparable(screen, used)
  const dated = earlier.length === 0 ? used.find(isDated) : undefined
  const keys = rows.map(({ key }) => key)
  const isFree = (group: GroupDimension, except: GroupDimension | undefined): boolean =>
    (compare === undefined || comparable(screen, [group]).includes(compare)) && used.every((one) => one === except || one.name !== group.name)
  const setGroup = (at: number, key: string): void => onChange({ rows: key === '' ? keys.toSpliced(at, 1) : keys.toSpliced(at, 1, key) })
  const slots = isSummary ? Math.min(rows.length + 1, mostGroups) : 0
  // On a phone the figures come first: how they are put together opens when it is wanted.
  const isNarrow = useMedia('(width < 768px)')
  const [isOpen, setOpen] = useState(false)
  if (offered.length === 0 && screen.chart === undefined) return null
  return (
    <div className={css['bar']} role="group" aria-label={t('ui.report.layout')}>
      {isNarrow && (
        <Button className={css['opener']} icon={isOpen ? 'chevron' : 'right'} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('ui.report.layout')}
        </Button>
      )}
      {(!isNarrow || isOpen) && parts()}
    </div>
  )

  function parts() {
    return (
      <>
        {offered.length > 0 && (
          <Segments
            label={t('ui.report.view')}
            options={[{ value: 'rows', label: t('ui.report.rows') }, { value: 'summary', label: t('ui.report.summary') }]}
            value={isSummary ? 'summary' : 'rows'}
            onChange={(value) => onChange(value === 'rows' ? { rows: [], across: '', compare: '' } : { rows: firstGroups(screen) })}
          />
        )}
        {Array.from({ length: slots }, (_, at) => (
          <Choice
            key={at}
            label={t(at === 0 ? 'ui.group.by' : 'ui.group.then')}
            value={rows[at]?.key ?? ''}
            // Something has to make groups: the last one goes with the summary.
            none={rows.length === 1 && at === 0 && across === undefined ? undefined : t('ui.group.none')}
            options={offered.filter((group) => isFree(group, rows[at])).map((group) => ({ value: group.key, label: groupLabel(group) }))}
            onChange={(key) => setGroup(at, key)}
          />
        ))}
        {isSummary && screen.across.length > 0 && (
          <Choice
            label={t('ui.report.across')}
            value={across?.key ?? ''}
            none={rows.length === 0 ? undefined : t('ui.report.nothing-across')}
            options={screen.across.filter((group) => isFree(group, across)).map((group) => ({ value: group.key, label: groupLabel(group) }))}
            onChange={(key) => onChange({ across: key })}
          />
        )}
        {isSummary && screen.time !== undefined && (
          <Choice
            label={t('ui.report.compare')}
            value={compare ?? ''}
            none={t('ui.report.nothing-compared')}
            hint={dated === undefined ? undefined : t('ui.report.dated', { field: t(dated.label) })}
            isDisabled={dated !== undefined}
            options={earlier.map((comparison) => ({ value: comparison, label: t(`ui.report.compare.${comparison}`) }))}
            onChange={(key) => onChange({ compare: earlier.find((comparison) => comparison === key) ?? '' })}
          />
        )}
        {(isSummary || screen.chart !== undefined) && (
          <Segments
            label={t('ui.report.show')}
            options={shows.map((one) => ({ value: one, label: t(`ui.report.show.${one}`) }))}
            value={show}
            onChange={(value) => onChange({ show: shows.find((one) => one === value) ?? 'table' })}
          />
        )}
        {plan !== undefined && plan.offered.length > 1 && (
          <Segments
            label={t('ui.report.draw')}
            options={plan.offered.map((one) => ({ value: one, label: t(`ui.report.draw.${one}`) }))}
            value={plan.chart.type}
            onChange={(value) => onChange({ draw: value === plan.usual ? '' : (drawnTypes.find((one) => one === value) ?? '') })}
          />
        )}
      </>
    )
  }
}

interface Option {
  readonly value: string
  readonly label: string
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** What nothing is called; undefined: something has to be chosen. */
  readonly none: string | undefined
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly hint?: string | undefined
  readonly isDisabled?: boolean
}

function Choice({ label, value, none, options, onChange, hint, isDisabled = false }: ChoiceProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} className={css['choice']}>
      <select id={id} className={input['input']} value={value} disabled={isDisabled} aria-describedby={hint === undefined ? undefined : describedBy(id)} onChange={(event) => onChange(event.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface SegmentsProps {
  readonly label: string
  readonly options: readonly Option[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Segments({ label, options, value, onChange }: SegmentsProps) {
  return (
    <fieldset className={css['segments']}>
      <legend>{label}</legend>
      <div className={css['buttons']}>
        {options.map((option) => (
          <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => option.value !== value && onChange(option.value)}>
            {option.label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
