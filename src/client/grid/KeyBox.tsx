import { useEffect, useImperativeHandle, useRef, useState, type ClipboardEvent, type FocusEvent, type KeyboardEvent, type Ref } from 'react'
import { halfWidth } from '#base/unseen.ts'
import { readNames } from '../form/entry.ts'
import { classes } from '../ui/classes.ts'
import css from './KeyBox.module.css'
import grid from './LineGrid.module.css'
import { cellId } from './gridCells.ts'
import { leaving, type Leaving } from './cellEditing.ts'
import { isNumeric, keysOf, opensWith } from './gridModel.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { LineStore } from './lineStore.ts'

/** What a grid hears of the keyboard. */
export interface GridKeyboard {
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onCopy: (event: ClipboardEvent) => void
  readonly onCut: (event: ClipboardEvent) => void
  readonly onPaste: (event: ClipboardEvent) => void
}

export interface Focusable {
  focus(): void
}

interface KeyBoxProps {
  readonly id: string
  readonly store: LineStore
  readonly label: string
  readonly isStop: boolean
  readonly handle: Ref<Focusable>
  readonly keyboard: GridKeyboard
  readonly onText: (rowKey: string, column: LineColumn, text: string) => void
  readonly onLeave: (to: Leaving) => void
}

/**
 * Has the keyboard for a grid of which no cell is being edited, unseen over the cell that has the focus. Its keys are the grid's. But an input
 * method writes only into a box that had the focus before its first key: what it composes stands here as it comes, and opens the cell once it is chosen.
 */
export function KeyBox({ id, store, label, isStop, handle, keyboard, onText, onLeave }: KeyBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useImperativeHandle(handle, () => ({ focus: () => box.current?.focus({ preventScroll: true }) }), [])
  const [isComposing, setComposing] = useState(false)
  const timer = useRef<number>(undefined)
  /** Where what stands in the box belongs. */
  const target = useRef<{ readonly rowKey: string; readonly column: LineColumn } | undefined>(undefined)
  useEffect(() => {
    // There before a day is typed, which is read as its cell is left.
    if (store.columns.some(({ type }) => type === 'date')) void readNames()
  }, [store])
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const show = () => {
      const { row, col } = store.cursor
      current.setAttribute('aria-activedescendant', cellId(id, row, col))
      current.readOnly = store.columns[col]?.entry !== true || store.rows[row]?.fixed !== false || store.columns[col].file !== undefined
    }
    show()
    // The grid had it until this came.
    if (document.activeElement?.id === `${id}-grid`) current.focus({ preventScroll: true })
    return store.onCursor(show)
  }, [id, store])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const taken = (): string => {
    window.clearTimeout(timer.current)
    const text = box.current?.value.trimStart() ?? ''
    if (box.current !== null) box.current.value = ''
    setComposing(false)
    const { column } = target.current ?? {}
    if (column === undefined) return ''
    // Wide digits are digits; in a text they are what was meant.
    const wide = isNumeric(column) || column.type === 'date' ? halfWidth(text) : text
    // What a number does not take it does not begin with either.
    const meant = isNumeric(column) ? Array.from(wide).filter(keysOf(column)).join('') : wide
    return opensWith(column, meant) ? meant : ''
  }
  const handIn = () => {
    const at = target.current
    const text = taken()
    target.current = undefined
    if (at !== undefined && text !== '') onText(at.rowKey, at.column, text)
  }
  const release = useRef<() => void>(undefined)
  const begin = () => {
    window.clearTimeout(timer.current)
    const { row, col } = store.cursor
    const [line, column] = [store.rows[row], store.columns[col]]
    if (target.current !== undefined || line === undefined || column === undefined) return
    target.current = { rowKey: line.key, column }
    release.current = store.holdBack(handIn)
  }
  /** In some languages choosing a word begins the next one at once: the cell opens when that has not happened. */
  const openSoon = () => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      release.current?.()
      const text = taken()
      target.current = undefined
      if (text !== '') store.startEditing(text)
    })
  }
  return (
    <input
      ref={box}
      type="text"
      // One stop for the Tab key: here while it has the keyboard, else the grid.
      tabIndex={isStop ? 0 : -1}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      // A finger opens the cell itself: this alone brings no keys up.
      inputMode={matchMedia('(pointer: coarse)').matches ? 'none' : 'text'}
      aria-label={label}
      aria-controls={`${id}-grid`}
      aria-describedby={`${id}-keys`}
      className={classes(grid['editor'], css['keys'], isComposing && css['composing'])}
      {...keyboard}
      onBlur={() => {
        handIn()
        keyboard.onBlur()
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || isForMethod(event.nativeEvent)) return
        if (event.currentTarget.value === '') return keyboard.onKeyDown(event)
        const to = leaving(event)
        if (to === undefined) return
        event.preventDefault()
        if (to === 'cancel') {
          taken()
          target.current = undefined
        } else {
          handIn()
          onLeave(to)
        }
      }}
      onCompositionStart={() => {
        begin()
        setComposing(true)
      }}
      onCompositionEnd={openSoon}
      onInput={({ nativeEvent }) => {
        begin()
        if (!(nativeEvent instanceof InputEvent && nativeEvent.isComposing)) openSoon()
      }}
    />
  )
}

/** The key an input method takes for itself before it has begun to compose: browsers give it this number, whatever they call it. */
function isForMethod(event: globalThis.KeyboardEvent): boolean {
  return Reflect.get(event, 'keyCode') === 229
}
