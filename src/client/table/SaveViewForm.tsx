import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef } from 'react'
import type { SavedView, ViewBody } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { isText, isTrueOrFalse, useTyped, useTypedPart } from '../data/useTyped.ts'
import { viewRolesAtom } from '../data/views.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { TextBox } from '../ui/TextBox.tsx'
import { goToTooLong } from '../ui/tooLong.ts'
import css from './ViewsPanel.module.css'

interface SaveViewFormProps {
  /** Where what is typed is kept until it is sent. */
  readonly deed: string
  /** The view changed, or the one a new one comes from. */
  readonly view: SavedView | undefined
  /** The days it will hold for ever; '': none. */
  readonly days: string
  readonly isNew: boolean
  /** Somebody else's: it is shared with a role, or his alone. */
  readonly isOwn: boolean
  /** May share with every role and say what it sees first. */
  readonly isKeeper: boolean
  readonly isBusy: boolean
  /** Why the name was refused, as long as it stands there unchanged. */
  readonly refused: { readonly name: string; readonly text: string } | undefined
  /** Answers whether it is kept now. */
  readonly onSave: (body: ViewBody) => Promise<boolean>
  readonly onCancel: () => void
}

/** Name of a view, with whom it is shared and whether it opens first. */
export function SaveViewForm({ deed, view, days, isNew, isOwn, isKeeper, isBusy, refused, onSave, onCancel }: SaveViewFormProps) {
  const offered = useAtomValue(viewRolesAtom)
  const typed = useTyped(deed, view === undefined ? [] : [view])
  const start = view?.Name ?? ''
  const before = isNew ? { name: start === '' ? '' : t('ui.view.copy-of', { name: start }), role: null, isDefault: false } : { name: start, role: view?.RoleID ?? null, isDefault: view?.IsDefault === true }
  const [name, setName] = useTypedPart(typed, 'name', before.name, isText)
  const [asked, setRole] = useTypedPart<number | null>(typed, 'role', before.role, (kept): kept is number | null => kept === null || typeof kept === 'number')
  const [isDefault, setDefault] = useTypedPart(typed, 'first', before.isDefault, isTrueOrFalse)
  // It may be shared with a role that is offered no more.
  const roles = before.role === null || offered.some(({ ID }) => ID === before.role) ? offered : [...offered, { ID: before.role, Name: view?.RoleName ?? '' }]
  const role = roles.find(({ ID }) => ID === asked)?.ID ?? null
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (refused !== undefined) box.current?.focus()
  }, [refused])
  const problem = refused?.name === name.trim() ? [refused.text] : []
  const mayBeDefault = role === null ? isOwn : isKeeper
  const save = async () => {
    if (name.trim() === '') return
    const opens = mayBeDefault ? isDefault : role === before.role && before.isDefault
    if (await onSave({ Name: name.trim(), RoleID: role, IsDefault: opens })) typed.forget()
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (!goToTooLong(event.currentTarget)) void save()
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was opened to type a name */}
      <TextBox id={id} box={box} label={t('ui.view.name')} errors={problem} autoFocus longest={80} value={name} onChange={setName} />
      <Field id={`${id}-for`} label={t('ui.view.for')} errors={[]}>
        <select id={`${id}-for`} className={input['input']} value={role ?? ''} onChange={(event) => setRole(event.target.value === '' ? null : Number(event.target.value))}>
          <option value="">{isOwn ? t('ui.view.for-me') : t('ui.view.for-owner', { name: view?.OwnerName ?? '' })}</option>
          {roles.map((one) => (
            <option key={one.ID} value={one.ID}>
              {t('ui.view.for-role', { role: one.Name })}
            </option>
          ))}
        </select>
      </Field>
      {mayBeDefault && (
        <label className={css['check']}>
          <input type="checkbox" className={input['check']} checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
          {t(role === null ? 'ui.view.opens-first' : 'ui.view.opens-first-role')}
        </label>
      )}
      <HeldDays days={days} />
      <div className={css['deeds']}>
        <Button type="submit" look="primary" icon="save" busy={isBusy} disabled={name.trim() === ''}>
          {t('ui.view.save')}
        </Button>
        <Button
          onClick={() => {
            typed.forget()
            onCancel()
          }}
        >
          {t('ui.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** A day somebody has typed does not move on with the calendar: said before it is kept. */
export function HeldDays({ days }: { readonly days: string }) {
  return days === '' ? null : <p className={css['held']}>{t('ui.view.holds', { days })}</p>
}
