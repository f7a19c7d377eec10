import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { placeUnder } from '../form/Lookup.tsx'
import lookup from '../form/Lookup.module.css'
import { leaving, type CellEditorProps } from './cellEditing.ts'
import css from './LineGrid.module.css'
import { plainText } from './gridModel.ts'

/**
 * A cell of text for which the server offers values (the units of an item): they stand under it as it is typed, arrows choose among them, Enter and
 * Tab take the one that is marked. Anything else may be typed; the server says what it thinks of it.
 */
export function OfferedEditor({ store, row, column, start, label, offers, onText, onLeave }: CellEditorProps & { readonly offers: readonly string[] }) {
  const [own] = useState(() => plainText(column, row))
  const [text, setText] = useState(start ?? own)
  const [active, setActive] = useState(() => indexIn(offers, start ?? own))
  const listId = useId()
  const box = useRef<HTMLInputElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const done = useRef(false)
  const isTyped = text !== own
  const shown = isTyped ? offers.filter((offer) => begins(offer, text)) : offers

  const commit = (value: string) => {
    if (done.current) return
    done.current = true
    const exact = offers.find((offer) => offer.toLowerCase() === value.trim().toLowerCase())
    if ((exact ?? value) !== own) onText(exact ?? value)
  }
  const latest = useRef(() => commit(text))
  useEffect(() => {
    latest.current = () => commit(text)
  })
  useEffect(() => store.holdBack(() => latest.current()), [store])
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    if (start === undefined) box.current?.select()
  }, [start])
  useLayoutEffect(() => {
    const list = layer.current
    if (list === null || shown.length === 0) return undefined
    list.showPopover()
    const place = () => {
      if (box.current !== null) placeUnder(box.current, list, 0)
    }
    place()
    window.addEventListener('scroll', place, true)
    return () => {
      window.removeEventListener('scroll', place, true)
      if (list.matches(':popover-open')) list.hidePopover()
    }
  }, [shown.length])

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && shown.length > 0) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      return setActive(active < 0 && step < 0 ? shown.length - 1 : (active + step + shown.length) % shown.length)
    }
    const to = leaving(event)
    if (to === undefined) return
    event.preventDefault()
    if (to === 'cancel') {
      event.stopPropagation()
      done.current = true
    } else commit(shown[active] ?? text)
    onLeave(to === 'cancel' ? 'stay' : to)
  }

  return (
    <>
      <input
        ref={box}
        type="text"
        role="combobox"
        className={css['editor']}
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={column.maxLength}
        value={text}
        onChange={(event) => {
          const typed = event.target.value
          setText(typed)
          // What begins with it is meant; nothing typed means none of them.
          setActive(typed.trim() !== '' && offers.some((offer) => begins(offer, typed)) ? 0 : -1)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          commit(text)
          store.stopEditing()
        }}
      />
      <div ref={layer} popover="manual" className={lookup['layer']}>
        <ul id={listId} role="listbox" aria-label={label} className={lookup['list']}>
          {shown.map((offer, i) => (
            <li
              key={offer}
              id={`${listId}-${i}`}
              role="option"
              aria-selected={i === active}
              className={lookup['option']}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                commit(offer)
                onLeave('stay')
              }}
            >
              <span className={lookup['code']}>{offer}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

function begins(offer: string, typed: string): boolean {
  return offer.toLowerCase().startsWith(typed.trim().toLowerCase())
}

/** Place of the value itself, or of the first that begins so. */
function indexIn(offers: readonly string[], text: string): number {
  const whole = offers.findIndex((offer) => offer.toLowerCase() === text.trim().toLowerCase())
  return whole >= 0 || text.trim() === '' ? whole : offers.some((offer) => begins(offer, text)) ? 0 : -1
}
