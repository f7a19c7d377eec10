import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef } from 'react'
import type { ViewBody } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { isText, isTrueOrFalse, useTypedPart } from '../data/useTyped.ts'
import type { Typed } from '../data/typed.ts'
import { viewRolesAtom } from '../data/views.ts'
import { Button } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import css from './ViewsPanel.module.css'

interface SaveViewFormProps {
  /** Name of the view this one comes from. */
  readonly start: string
  /** May share with every role and say what it sees first. */
  readonly isKeeper: boolean
  readonly isBusy: boolean
  readonly typed: Typed
  /** Why the name was refused, as long as it stands there unchanged. */
  readonly refused: { readonly name: string; readonly text: string } | undefined
  readonly onSave: (body: ViewBody) => void
  readonly onCancel: () => void
}

/** Name of a new view, with whom it is shared and whether it opens first. */
export function SaveViewForm({ start, isKeeper, isBusy, typed, refused, onSave, onCancel }: SaveViewFormProps) {
  const roles = useAtomValue(viewRolesAtom)
  const [name, setName] = useTypedPart(typed, 'name', start === '' ? '' : t('ui.view.copy-of', { name: start }), isText)
  const [asked, setRole] = useTypedPart<number | null>(typed, 'role', null, (kept): kept is number | null => kept === null || typeof kept === 'number')
  const [isDefault, setDefault] = useTypedPart(typed, 'first', false, isTrueOrFalse)
  const role = roles.find(({ ID }) => ID === asked)?.ID
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (refused !== undefined) box.current?.focus()
  }, [refused])
  const problem = refused?.name === name.trim() ? [refused.text] : []
  const mayBeDefault = role === undefined || isKeeper
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (name.trim() !== '') onSave({ Name: name.trim(), RoleID: role ?? null, IsDefault: isDefault && mayBeDefault })
      }}
    >
      <Field id={id} label={t('ui.view.name')} errors={problem}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form was opened to type a name */}
        <input id={id} ref={box} className={input['input']} aria-invalid={problem.length > 0} aria-describedby={problem.length > 0 ? describedBy(id) : undefined} autoFocus required maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <label className={css['field']}>
        {t('ui.view.for')}
        <select className={input['input']} value={role ?? ''} onChange={(event) => setRole(event.target.value === '' ? null : Number(event.target.value))}>
          <option value="">{t('ui.view.for-me')}</option>
          {roles.map((one) => (
            <option key={one.ID} value={one.ID}>
              {t('ui.view.for-role', { role: one.Name })}
            </option>
          ))}
        </select>
      </label>
      {mayBeDefault && (
        <label className={css['check']}>
          <input type="checkbox" className={input['check']} checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
          {t(role === undefined ? 'ui.view.opens-first' : 'ui.view.opens-first-role')}
        </label>
      )}
      <div className={css['deeds']}>
        <Button type="submit" look="primary" icon="save" busy={isBusy} disabled={name.trim() === ''}>
          {t('ui.view.save')}
        </Button>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
      </div>
    </form>
  )
}
