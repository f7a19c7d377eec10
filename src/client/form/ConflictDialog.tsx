import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { t } from '../app/messages.ts'
import { saidMinute } from '../app/saidTime.ts'
import { sessionAtom } from '../data/session.ts'
import { valueText } from '../table/cells.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { typedKey } from '../grid/lineStore.ts'
import { isSettled, onlyIn, settle, sidesOf, type LineSides } from './clash.ts'
import css from './FormView.module.css'
import { allFields } from './formModel.ts'
import { isNothing } from './same.ts'
import type { FormField, FormScreen } from '#meta/resolved.ts'
import type { FormSession } from './formSession.ts'
import type { Clash } from './formState.ts'

/** Of one side, in one grid. */
const mostLines = 10

/** Someone, or the same person in another window, saved the record meanwhile: what they changed is taken over, and where both changed the same field, one chooses. */
export function ConflictDialog({ session, clash, onClose }: { readonly session: FormSession; readonly clash: Clash; readonly onClose: () => void }) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const fields = new Map(allFields(session.screen).map((field) => [field.wire, field]))
  // What is asked stays as it was asked.
  const [sides] = useState(() => sidesOf(session, clash))
  const parts = Object.entries(sides.parts)
  const both = parts.filter(([, side]) => side === 'both').map(([name]) => name)
  const taken = [...sides.taken.map((wire) => t(fields.get(wire)?.label ?? wire)), ...parts.filter(([, side]) => side === 'theirs').map(([name]) => partLabel(session.screen, name))]
  const choose = (wire: string, side: 'mine' | 'theirs') => {
    const next = new Set(theirs)
    if (side === 'theirs') next.add(wire)
    else next.delete(wire)
    setTheirs(next)
  }
  const me = useAtomValue(sessionAtom)?.user.user_id
  const by = clash.current['UpdatedByName']
  // To the minute, as drafts say it.
  const time = saidMinute(clash.current['UpdatedAt'])
  const isNothingLeft = clash.draft !== undefined && isSettled(sides)
  useEffect(() => {
    if (isNothingLeft) settle(session, clash, sides, new Set())
  }, [isNothingLeft, session, clash, sides])
  if (isNothingLeft) return null
  return (
    <Dialog
      title={t('ui.conflict.title')}
      shape="wide"
      onClose={onClose}
      onSubmit={() => settle(session, clash, sides, theirs)}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary">
            {t('ui.conflict.apply')}
          </Button>
        </>
      }
    >
      <p>{clash.current['UpdatedBy'] === me ? t('ui.conflict.textSelf', { time }) : typeof by === 'string' ? t('ui.conflict.textBy', { name: by, time }) : t('ui.conflict.text')}</p>
      {taken.length > 0 && (
        <p>
          {t('ui.conflict.taken')} {taken.join(', ')}
        </p>
      )}
      {(sides.conflicts.length > 0 || both.length > 0) && (
        <table className={css['conflicts']}>
          <thead>
            <tr>
              <th scope="col">{t('ui.conflict.field')}</th>
              <th scope="col">{t('ui.conflict.before')}</th>
              <th scope="col">{t('ui.conflict.mine')}</th>
              <th scope="col">{t('ui.conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {sides.conflicts.map((conflict) => {
              const field = fields.get(conflict.key)
              return (
                <tr key={conflict.key}>
                  <th scope="row">{t(field?.label ?? conflict.key)}</th>
                  <td data-label={t('ui.conflict.before')}>{shown(field, conflict.base, sides.base)}</td>
                  {(['mine', 'theirs'] as const).map((side) => (
                    <td key={side} data-label={t(`ui.conflict.${side}`)}>
                      <label>
                        <input type="radio" name={conflict.key} checked={theirs.has(conflict.key) === (side === 'theirs')} onChange={() => choose(conflict.key, side)} />
                        {side === 'mine' ? (sides.typed[conflict.key] ?? shown(field, conflict.mine, sides.mine)) : shown(field, conflict.theirs, clash.current)}
                      </label>
                    </td>
                  ))}
                </tr>
              )
            })}
            {both.map((name) => (
              <tr key={name}>
                <th scope="row">{partLabel(session.screen, name)}</th>
                <td />
                {(['mine', 'theirs'] as const).map((side) => (
                  <td key={side} data-label={t(`ui.conflict.${side}`)}>
                    <label>
                      <input type="radio" name={name} checked={theirs.has(name) === (side === 'theirs')} onChange={() => choose(name, side)} />
                      {t(side === 'mine' ? 'ui.conflict.myLines' : 'ui.conflict.theirLines')}
                    </label>
                    <LineList lines={sides.lines[name]} side={side} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}

/** Lines that the other side does not have like this. */
function LineList({ lines, side }: { readonly lines: LineSides | undefined; readonly side: 'mine' | 'theirs' }) {
  if (lines === undefined) return null
  const [mine, theirs] = [lines.mine, lines.theirs].map((some) => some.map((line) => lineText(lines.columns, line)))
  const only = side === 'mine' ? onlyIn(mine ?? [], theirs ?? []) : onlyIn(theirs ?? [], mine ?? [])
  if (only.length === 0) return null
  return (
    <ul className={css['sideLines']}>
      {only.slice(0, mostLines).map((text, i) => (
        // Two like lines are two lines.
        <li key={i}>{text}</li>
      ))}
      {only.length > mostLines && <li>+ {only.length - mostLines}</li>}
    </ul>
  )
}

function lineText(columns: LineSides['columns'], line: Readonly<Record<string, unknown>>): string {
  const typed = line[typedKey]
  const unread = typeof typed === 'object' && typed !== null ? new Map(Object.entries(typed)) : undefined
  return columns.flatMap((column) => unread?.get(column.wire) ?? (isNothing(line[column.wire]) ? [] : valueText(column, line))).join(' · ')
}

/** Title of the section a grid or part stands in; the document's own lines are just its lines. */
function partLabel(screen: FormScreen, name: string): string {
  const section = screen.sections.find(({ id, lines, slot }) => lines?.wire === name || slot === name || id === name)
  return section === undefined ? t('ui.conflict.lines') : t(section.title)
}

/** As the field shows it anywhere else. */
function shown(field: FormField | undefined, value: unknown, record: Readonly<Record<string, unknown>>): string {
  if (isNothing(value)) return t('ui.nothing')
  if (field === undefined) return String(value)
  if (field.type === 'boolean') return t(value === true ? 'ui.yes' : 'ui.no')
  return valueText(field, { ...record, [field.wire]: value })
}
