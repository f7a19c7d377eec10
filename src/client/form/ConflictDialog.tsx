import { useState } from 'react'
import { t } from '../app/messages.ts'
import { valueText } from '../table/cells.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './FormView.module.css'
import { allFields } from './formModel.ts'
import { isNothing } from './same.ts'
import type { FormField, FormScreen } from '#meta/resolved.ts'
import type { FormSession } from './formSession.ts'
import type { Clash } from './formState.ts'

/** Someone saved the record meanwhile: what they changed is taken over, and where both changed the same field, one chooses. */
export function ConflictDialog({ session, clash, onClose }: { readonly session: FormSession; readonly clash: Clash; readonly onClose: () => void }) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const fields = new Map(allFields(session.screen).map((field) => [field.wire, field]))
  const grids = Object.entries(clash.grids)
  const both = grids.filter(([, side]) => side === 'both').map(([wire]) => wire)
  const taken = [...clash.taken.map((wire) => t(fields.get(wire)?.label ?? wire)), ...grids.filter(([, side]) => side === 'theirs').map(([wire]) => gridLabel(session.screen, wire))]
  const choose = (wire: string, side: 'mine' | 'theirs') => {
    const next = new Set(theirs)
    if (side === 'theirs') next.add(wire)
    else next.delete(wire)
    setTheirs(next)
  }
  const by = clash.current['UpdatedByName']
  return (
    <Dialog
      title={t('ui.conflict.title')}
      shape="wide"
      onClose={onClose}
      onSubmit={() => session.settleClash(theirs)}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary">
            {t('ui.conflict.apply')}
          </Button>
        </>
      }
    >
      <p>{typeof by === 'string' ? t('ui.conflict.textBy', { name: by }) : t('ui.conflict.text')}</p>
      {taken.length > 0 && (
        <p>
          {t('ui.conflict.taken')} {taken.join(', ')}
        </p>
      )}
      {(clash.conflicts.length > 0 || both.length > 0) && (
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
            {clash.conflicts.map((conflict) => {
              const field = fields.get(conflict.key)
              return (
                <tr key={conflict.key}>
                  <th scope="row">{t(field?.label ?? conflict.key)}</th>
                  <td data-label={t('ui.conflict.before')}>{shown(field, conflict.base, session.store.base)}</td>
                  {(['mine', 'theirs'] as const).map((side) => (
                    <td key={side} data-label={t(`ui.conflict.${side}`)}>
                      <label>
                        <input type="radio" name={conflict.key} checked={theirs.has(conflict.key) === (side === 'theirs')} onChange={() => choose(conflict.key, side)} />
                        {side === 'mine' ? shown(field, conflict.mine, session.store.values) : shown(field, conflict.theirs, clash.current)}
                      </label>
                    </td>
                  ))}
                </tr>
              )
            })}
            {both.map((wire) => (
              <tr key={wire}>
                <th scope="row">{gridLabel(session.screen, wire)}</th>
                <td />
                {(['mine', 'theirs'] as const).map((side) => (
                  <td key={side} data-label={t(`ui.conflict.${side}`)}>
                    <label>
                      <input type="radio" name={wire} checked={theirs.has(wire) === (side === 'theirs')} onChange={() => choose(wire, side)} />
                      {t(side === 'mine' ? 'ui.conflict.myLines' : 'ui.conflict.theirLines')}
                    </label>
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

/** Title of the section a grid stands in; the document's own lines are just its lines. */
function gridLabel(screen: FormScreen, wire: string): string {
  const section = screen.sections.find(({ lines }) => lines?.wire === wire)
  return section === undefined ? t('ui.conflict.lines') : t(section.title)
}

/** As the field shows it anywhere else. */
function shown(field: FormField | undefined, value: unknown, record: Readonly<Record<string, unknown>>): string {
  if (isNothing(value)) return t('ui.nothing')
  if (field === undefined) return String(value)
  if (field.type === 'boolean') return t(value === true ? 'ui.yes' : 'ui.no')
  return valueText(field, { ...record, [field.wire]: value })
}
