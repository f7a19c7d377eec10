import { compared } from '#base/unseen.ts'
import { useId, useState, type KeyboardEvent } from 'react'
import { arrowed, OptionList } from '../form/OptionList.tsx'
import { useTextBox, type CellEditorProps } from './cellEditing.ts'
import css from './LineGrid.module.css'

/**
 * A cell of text for which the server offers values (the units of an item): they stand under it as it is typed, arrows choose among them, Enter and
 * Tab take the one that is marked. Anything else may be typed; the server says what it thinks of it.
 */
export function OfferedEditor({ offers, ...props }: CellEditorProps & { readonly offers: readonly string[] }) {
  const { store, start, label, onLeave } = props
  const { box, own, commit, leaves } = useTextBox(props, (said) => offerCalled(offers, said))
  const [text, setText] = useState(start ?? own)
  const [active, setActive] = useState(() => indexIn(offers, start ?? own))
  const listId = useId()
  const shown = text === own ? offers : offers.filter((offer) => begins(offer, text))

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && shown.length > 0) {
      event.preventDefault()
      return setActive(arrowed(event.key, active, shown.length))
    }
    return leaves(event, shown[active] ?? text)
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
        value={text}
        onChange={(event) => {
          const typed = event.target.value
          setText(typed)
          // What begins with it is meant; nothing typed means none of them.
          setActive(typed.trim() !== '' && offers.some((offer) => begins(offer, typed)) ? 0 : -1)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          commit()
          store.stopEditing()
        }}
      />
      <OptionList
        id={listId}
        label={label}
        box={box}
        isOpen={shown.length > 0}
        options={shown.map((offer) => [offer, offer])}
        active={active}
        onChoose={(at) => {
          commit(shown[at])
          onLeave('stay')
        }}
      />
    </>
  )
}

/** The offer that somebody means, however he writes it; what was said where there is none. */
function offerCalled(offers: readonly string[], said: string): string {
  const name = compared(said)
  return offers.find((offer) => compared(offer) === name) ?? said
}

function begins(offer: string, typed: string): boolean {
  return compared(offer).startsWith(compared(typed))
}

/** Place of the value itself, or of the first that begins so. */
function indexIn(offers: readonly string[], text: string): number {
  const whole = offers.findIndex((offer) => compared(offer) === compared(text))
  return whole >= 0 || text.trim() === '' ? whole : offers.some((offer) => begins(offer, text)) ? 0 : -1
}
