import { useEffect, useRef, useState } from 'react'
import { searchDelayMs } from '../app/constants.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { useKeys } from '../ui/useKeys.ts'
import css from './SearchBox.module.css'

interface SearchBoxProps {
  readonly value: string
  /** `how`: a search begun is a step that Back takes back, what is typed further is the same step, and the text there was at its beginning is that step taken back. */
  readonly onSearch: (text: string, how: 'push' | 'replace' | 'back') => void
  readonly label?: string
}

/** The rows' own stop, as for Tab, without the tools between; of a summary the first group. */
function stopIn(part: Element | null): HTMLElement | null | undefined {
  return part?.querySelector<HTMLElement>('tbody [tabindex="0"]') ?? part?.querySelector<HTMLElement>('tbody a')
}

/** Where the rows of a page are searched; `/` leads to it. Asks 700 ms after the last letter, at once on Enter; the arrow down leads to the rows; Escape empties it, and leaves it empty. */
export function SearchBox({ value, onSearch, label = t('ui.search') }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = useRef(value)
  const box = useRef<HTMLInputElement>(null)
  /** The text asked for before this search began; undefined: none has begun since the box got the focus. */
  const begun = useRef<string>(undefined)
  useKeys({ '/': () => box.current?.focus() }, { isFirst: true })

  useEffect(() => {
    // The URL changed by other means (Back, a preset): the box follows, what is being typed stays.
    if (value !== asked.current) {
      asked.current = value
      begun.current = undefined
      setText(value)
    }
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const ask = (wanted: string) => {
    clearTimeout(timer.current)
    if (wanted === asked.current) return
    const how = begun.current === undefined ? 'push' : wanted === begun.current ? 'back' : 'replace'
    begun.current = how === 'back' ? undefined : (begun.current ?? asked.current)
    asked.current = wanted
    onSearch(wanted, how)
  }
  return (
    <div className={css['search']}>
      <Icon name="search" size={16} />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onBlur={() => (begun.current = undefined)}
        onChange={(event) => {
          const next = event.target.value
          setText(next)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => ask(next.trim()), searchDelayMs)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') ask(text.trim())
          if (event.key === 'ArrowDown') stopIn(event.currentTarget.closest('[data-keys]'))?.focus()
          if (event.key !== 'Escape') return
          if (text === '') event.currentTarget.blur()
          else {
            event.preventDefault()
            setText('')
            ask('')
          }
        }}
      />
    </div>
  )
}
