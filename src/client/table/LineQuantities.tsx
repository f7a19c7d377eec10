import { useRef, useState } from 'react'
import { compare, quantityText } from '#base/decimal.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Field, Param } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import type { HoldBack } from '../form/heldBack.ts'
import { NumberEntry } from '../form/TextEntry.tsx'
import { describedBy } from '../ui/Field.tsx'
import css from './LineQuantities.module.css'
import { cellOf, showValue, valueText } from './cells.tsx'

interface LineQuantitiesProps {
  readonly param: Param & { readonly each: NonNullable<Param['each']> }
  readonly id: string
  readonly lines: readonly WireRecord[]
  /** What was typed: number by id of the line. Lines not named go as they begin. */
  readonly value: unknown
  readonly errors: readonly FieldProblem[]
  readonly onChange: (value: Readonly<Record<string, string>>) => void
  /** Something typed cannot be taken: why. */
  readonly onUnread: (text: string | undefined) => void
  readonly holdBack: (name: string, ...handIn: Parameters<HoldBack>) => ReturnType<HoldBack>
}

/** A number for each line: how much was picked of it, how much of it is to be planned. */
export function LineQuantities({ param, id, lines, value, errors, onChange, onUnread, holdBack }: LineQuantitiesProps) {
  const { each } = param
  const [unread, setUnread] = useState<Readonly<Record<string, string>>>({})
  // What is counted is what it is, whatever stood there before.
  const isCount = each.begins?.wire === each.field.wire
  const given: Readonly<Record<string, string>> = typeof value === 'object' && value !== null ? { ...value } : {}
  // Several boxes may be handed in at once, each before what the one before it said is drawn.
  const latest = useRef(given)
  const said = useRef(unread)

  return (
    <div className={css['frame']}>
      <table className={css['lines']} aria-label={t(param.label)}>
        <thead>
          <tr>
            {each.columns.map((column) => (
              <th key={column.wire} scope="col" className={css[sideOf(column)]}>
                {t(column.label)}
              </th>
            ))}
            <th scope="col" className={css['end']}>
              {t(param.label)}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const key = String(line['ID'])
            const most = String(line[each.field.wire] ?? '0')
            const begins = each.begins === undefined ? most : String(line[each.begins.wire] ?? '0')
            const boxId = `${id}-${key}`
            const wrong = [...(unread[key] === undefined ? [] : [unread[key]]), ...errors.filter(({ field }) => field === `${param.wire}.${key}`).map(({ text }) => text)]
            return (
              <tr key={key}>
                {each.columns.map((column) => (
                  <td key={column.wire} className={css[sideOf(column)]} data-heading={t(column.label)}>
                    {showValue(column, line)}
                  </td>
                ))}
                <td className={css['end']} data-heading={t(param.label)}>
                  <NumberEntry
                    id={boxId}
                    type={each.field.type}
                    className={css['box']}
                    ariaLabel={[t(param.label), ...each.columns.filter((column) => sideOf(column) === 'start').map((column) => valueText(column, line))].join(', ')}
                    value={given[key] ?? begins}
                    required={false}
                    invalid={wrong.length > 0}
                    describedBy={wrong.length > 0 ? describedBy(boxId) : undefined}
                    check={(typed) => (!isCount && compare(typed, most) > 0 ? { key: 'ui.check.between', params: { min: '0', max: quantityText(most) } } : undefined)}
                    holdBack={(handIn) => holdBack(`${param.wire}.${key}`, handIn)}
                    onUnread={(message) => {
                      const { [key]: _before, ...others } = said.current
                      said.current = message === undefined ? others : { ...others, [key]: 'text' in message ? message.text : t(message.key, message.params) }
                      setUnread(said.current)
                      onUnread(Object.values(said.current)[0])
                    }}
                    onChange={(typed) => {
                      // An emptied box is none of it, and says so.
                      latest.current = { ...latest.current, [key]: typed ?? '0' }
                      onChange(latest.current)
                    }}
                  />
                  {wrong.length > 0 && (
                    <p id={describedBy(boxId)} className={css['wrong']}>
                      {wrong.join(' ')}
                    </p>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function sideOf(column: Field): 'start' | 'center' | 'end' {
  return cellOf(column.type).align
}
