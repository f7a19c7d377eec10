import { compared } from '#base/unseen.ts'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { referenceNames } from '#base/wireName.ts'
import { t } from '../app/messages.ts'
import { CalendarButton } from '../form/CalendarButton.tsx'
import { Lookup } from '../form/Lookup.tsx'
import { places } from '../form/entry.ts'
import { quietTyping } from '../form/quietTyping.ts'
import { classes } from '../ui/classes.ts'
import { leaving, useHeldBack, useTextBox, type CellEditorProps } from './cellEditing.ts'
import css from './LineGrid.module.css'
import { OfferedEditor } from './OfferedEditor.tsx'
import { isNumeric, keysOf } from './gridModel.ts'
import { offeredForm } from '../form/lookupClient.ts'

/** The one live input of the grid, over the focused cell. Typing changes nothing but itself. */
export function CellEditor(props: CellEditorProps) {
  const { column } = props
  if (column.type === 'ref') return <ReferenceEditor {...props} />
  if (column.choices !== undefined) return <ChoiceEditor {...props} />
  if (column.type === 'date') return <DayEditor {...props} />
  const offers = props.row.offers?.[column.wire]
  if (offers !== undefined && offers.length > 0) return <OfferedEditor {...props} offers={offers} />
  return <TextEditor {...props} />
}

function TextEditor(props: CellEditorProps) {
  const { store, column, start, label } = props
  // The browser keeps what is typed; nothing of ours runs for a key until the cell is left.
  const { box, own, commit, leaves } = useTextBox(props)
  const numeric = isNumeric(column)
  useEffect(() => (box.current === null ? undefined : quietTyping(box.current, numeric ? { accepts: keysOf(column) } : {})), [box, numeric, column])
  return (
    <input
      ref={box}
      type="text"
      inputMode={numeric ? (places(column.type) === 0 ? 'numeric' : 'decimal') : 'text'}
      className={numeric ? `${css['editor']} ${css['number']}` : css['editor']}
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      defaultValue={start ?? own}
      onKeyDown={(event) => leaves(event)}
      onBlur={() => {
        commit()
        store.stopEditing()
      }}
    />
  )
}

/** A day is typed like any text, or picked from the calendar at its side; Alt and arrow down open that. */
function DayEditor(props: CellEditorProps) {
  const { store, row, column, start, opens, label, onValue, onLeave } = props
  const { box, own, commit, cancel, leaves } = useTextBox(props)
  const frame = useRef<HTMLDivElement>(null)
  const open = () => frame.current?.querySelector('button')?.click()
  const openFirst = useRef(opens)
  useEffect(() => {
    if (openFirst.current) open()
    return box.current === null ? undefined : quietTyping(box.current, {})
  }, [box])
  return (
    <div
      ref={frame}
      className={css['editor']}
      // The button does not take the keyboard from what is being typed.
      onMouseDown={(event) => {
        if (event.target !== box.current) event.preventDefault()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        commit()
        store.stopEditing()
      }}
    >
      <input
        ref={box}
        type="text"
        inputMode="numeric"
        className={classes(css['editor'], css['day'])}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        defaultValue={start ?? own}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || !event.altKey) return leaves(event)
          event.preventDefault()
          return open()
        }}
      />
      <CalendarButton
        label={label}
        value={String(row.values[column.wire] ?? '')}
        allows={column.allows === undefined ? undefined : (day) => store.allows(column, row, day)}
        onPick={(day) => {
          cancel()
          onValue(day)
          onLeave('stay')
        }}
      />
    </div>
  )
}

function ChoiceEditor({ store, row, column, start, label, onValue, onLeave }: CellEditorProps) {
  const box = useRef<HTMLSelectElement>(null)
  // The letter that opened the cell would be lost to the browser's own search among the choices.
  const chosen = useRef(() => {
    const first = compared(start ?? '')
    const choice = first === '' ? undefined : column.choices?.find((one) => compared(t(one.label)).startsWith(first))
    if (choice !== undefined) onValue(choice.value)
  })
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    chosen.current()
  }, [])
  return (
    <select
      ref={box}
      className={css['editor']}
      aria-label={label}
      value={String(row.values[column.wire] ?? '')}
      onChange={(event) => onValue(column.choices?.find((choice) => String(choice.value) === event.target.value)?.value ?? null)}
      onKeyDown={(event) => {
        const to = event.key === 'ArrowUp' || event.key === 'ArrowDown' ? undefined : leaving(event)
        if (to === undefined) return
        event.preventDefault()
        if (to === 'cancel') event.stopPropagation()
        onLeave(to === 'cancel' ? 'stay' : to)
      }}
      onBlur={() => store.stopEditing()}
    >
      <option value="" />
      {column.choices?.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {t(choice.label)}
        </option>
      ))}
    </select>
  )
}

function ReferenceEditor({ store, row, column, start, label, userId, source, onText, onOption, onLeave }: CellEditorProps) {
  const names = useMemo(() => referenceNames(column.name), [column])
  const typed = useRef<string | undefined>(start)
  const unread = row.typed?.[column.wire]
  const commit = () => {
    const text = typed.current
    typed.current = undefined
    if (text !== undefined) onText(text)
  }
  useHeldBack(store, commit)
  const onKey = (event: KeyboardEvent<HTMLInputElement>, text: string | undefined) => {
    const to = leaving(event, start)
    if (to === undefined) return
    event.preventDefault()
    if (to === 'cancel') {
      event.stopPropagation()
      typed.current = undefined
      onLeave('stay')
    } else {
      // Unchanged, what named nothing is looked up once more.
      typed.current = text ?? unread
      commit()
      onLeave(to)
    }
  }
  return (
    <div
      className={css['editor']}
      onInput={(event) => {
        if (event.target instanceof HTMLInputElement) typed.current = event.target.value
      }}
      onBlur={(event) => {
        // A window of the lookup (search, a new record) has the focus, or hands it on within itself.
        if (event.currentTarget.contains(event.relatedTarget) || event.relatedTarget?.closest('dialog') != null || event.target.closest('dialog') !== null) return
        commit()
        store.stopEditing()
      }}
    >
      <Lookup
        id={`${row.key}-${column.wire}`}
        label={label}
        noun={t(column.label)}
        source={source}
        userId={userId}
        create={offeredForm(column.create, source.filter)}
        code={unread ?? String(row.values[names.code] ?? '')}
        name={unread ?? String(row.values[names.name] ?? '')}
        onChoose={(option) => {
          typed.current = undefined
          onOption(option)
        }}
        onUnread={() => undefined}
        cell={{ start, onKey }}
      />
    </div>
  )
}
