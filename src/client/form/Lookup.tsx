import { compared } from '#base/unseen.ts'
import { Suspense, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import css from './Lookup.module.css'
import { asideOf, codeOf, findOption, labelOf, offeredOptions, optionsOf, rememberOption, searchOptions, type LookupSource, type Option } from './lookupClient.ts'
import type { HoldBack } from './heldBack.ts'
import type { Message } from './message.ts'
import { arrowed, OptionList } from './OptionList.tsx'

const FormPanel = lazy(async () => ({ default: (await import('./FormPanel.tsx')).FormPanel }))
const LookupDialog = lazy(async () => ({ default: (await import('./LookupDialog.tsx')).LookupDialog }))

const searchDelay = 200

const none: readonly Option[] = []

export interface LookupProps {
  readonly id: string
  readonly label: string
  /** What the field is called where `label` says more (its line in a grid). */
  readonly noun?: string | undefined
  readonly source: LookupSource
  readonly userId: number
  readonly code: string
  readonly name: string
  /** The restriction lacks a value of another field: say which instead of searching. */
  readonly blocked?: string | undefined
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  /** Form that makes a record which is not there yet, and what it starts with. */
  readonly create?: { readonly screen: string; readonly params: Readonly<Record<string, string>> } | undefined
  readonly onChoose: (option: Option | null) => void
  /** Why typed text names no record, or undefined when it does, and while that is asked. */
  readonly onUnread: (message: Message | undefined, text?: string) => void
  /** Text that stands in it and is no value, from a draft. */
  readonly start?: string | undefined
  /** Who saves has what is typed and not chosen settled first, and waits for it. */
  readonly holdBack?: HoldBack | undefined
  /** In the line grid: no frame, no button, keys the list does not need go to the grid. */
  readonly cell?: { readonly start: string | undefined; readonly onKey: (event: KeyboardEvent<HTMLInputElement>, text: string | undefined) => void }
}

/**
 * Type to search a referenced record: code or name, arrows and Enter to choose, F4 for the search window, recent choices when empty.
 * Leaving takes what an arrow went to, the record of exactly the code typed, or the only one that the text finds; the first of several is not guessed.
 */
export function Lookup(props: LookupProps) {
  const { id, label, source, userId, code, name, blocked, readOnly = false, invalid = false, describedBy, onChoose, onUnread, cell } = props
  const listId = useId()
  const [text, setText] = useState(cell?.start ?? props.start)
  /** What was found; undefined: the search was refused or not answered. */
  const [options, setOptions] = useState<readonly Option[] | undefined>(none)
  const count = options?.length ?? 0
  const [recent, setRecent] = useState(0)
  const [active, setActive] = useState(-1)
  /** Gone to by arrow keys, it is what is meant. */
  const isPicked = useRef(false)
  const [open, setOpen] = useState(false)
  const [searching, setSearching] = useState(false)
  const [dialog, setDialog] = useState(false)
  /** What the record being made is to be called. */
  const [creating, setCreating] = useState<string>()
  const canCreate = props.create !== undefined && blocked === undefined
  const box = useRef<HTMLInputElement>(null)
  const pending = useRef<{ timer: number | undefined; abort: AbortController | undefined }>({ timer: undefined, abort: undefined })

  const stopSearch = () => {
    window.clearTimeout(pending.current.timer)
    pending.current.abort?.abort()
    pending.current = { timer: undefined, abort: undefined }
  }
  useEffect(() => stopSearch, [])

  const search = (wanted: string, delay: number, isArrow = false) => {
    stopSearch()
    if (blocked !== undefined) return
    const abort = new AbortController()
    setSearching(true)
    pending.current = {
      abort,
      timer: window.setTimeout(async () => {
        const offered = wanted === '' ? await offeredOptions(userId, source, abort.signal) : undefined
        const found = offered?.options ?? (wanted === '' ? undefined : await searchOptions(source, wanted, abort.signal))
        if (abort.signal.aborted) return
        setSearching(false)
        setOptions(found)
        setRecent(offered?.recent ?? 0)
        setActive((wanted !== '' || isArrow) && (found?.length ?? 0) > 0 ? 0 : -1)
      }, delay),
    }
  }

  /** `isArrow`: opened by an arrow, which goes to the first of what is offered. */
  const show = (wanted: string, isArrow = false) => {
    setOpen(true)
    setActive(-1)
    isPicked.current = isArrow
    setOptions(none)
    search(wanted, wanted === '' ? 0 : searchDelay, isArrow)
  }

  const hide = () => {
    stopSearch()
    setSearching(false)
    setOpen(false)
  }

  const choose = (option: Option | null) => {
    hide()
    setText(undefined)
    onUnread(undefined)
    if (option !== null) rememberOption(userId, source.entity, option)
    onChoose(option)
  }

  const settling = useRef<{ readonly text: string; readonly over: Promise<void> }>(undefined)
  const told = useRef<string>(undefined)
  const handIn = (): Promise<void> | undefined => {
    if (text === undefined) return undefined
    // Left for the button that saves it is settled once.
    if (settling.current?.text !== text) {
      const over = settle(text).finally(() => {
        if (settling.current?.over === over) settling.current = undefined
      })
      settling.current = { text, over }
    }
    return settling.current.over
  }
  const latest = useRef(handIn)
  useEffect(() => {
    latest.current = handIn
  })
  const { holdBack } = props
  useEffect(() => holdBack?.(() => latest.current()), [holdBack])

  /** What was typed and not chosen: nothing clears, an exact code is taken, anything else is told. */
  const settle = async (typed: string) => {
    hide()
    const wanted = typed.trim()
    if (wanted === '') return code === '' ? setText(undefined) : choose(null)
    if (wanted === code || wanted === labelOf(code, name)) return setText(undefined)
    const shown = options?.find((option) => compared(codeOf(option)) === compared(wanted))
    if (shown !== undefined) return choose(shown)
    // What is told of it stands until there is another answer.
    if (told.current !== wanted) onUnread(undefined, wanted)
    const found = await findOption(source, wanted)
    // Typed over meanwhile: that is what counts.
    if (box.current !== null && box.current.value !== typed) return
    told.current = wanted
    if (found) choose(found)
    else onUnread({ key: found === null ? 'ui.lookup.unknown' : 'ui.lookup.failed', params: { text: wanted } }, wanted)
  }

  const begin = () => {
    hide()
    setCreating((text ?? '').trim())
    setText(undefined)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'F4') {
      event.preventDefault()
      hide()
      setDialog(true)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!open && cell !== undefined && event.key === 'ArrowUp') return cell.onKey(event, text)
      event.preventDefault()
      if (!open) return show(text ?? '', true)
      // Below what was found stands the way to a new record.
      const places = count + Number(canCreate)
      isPicked.current = true
      if (places > 0) setActive(arrowed(event.key, active, places))
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      hide()
      if (cell === undefined) setText(undefined)
    } else if (event.key === 'Enter' && open && canCreate && active === count) {
      event.preventDefault()
      begin()
    } else if ((event.key === 'Enter' || event.key === 'Tab') && open && options?.[active] !== undefined && (event.key === 'Enter' || isPicked.current || (count === 1 && text?.trim()))) {
      if (event.key === 'Enter' && cell === undefined) event.preventDefault()
      choose(options[active])
      cell?.onKey(event, undefined)
    } else cell?.onKey(event, text)
  }

  useEffect(() => {
    if (cell === undefined) return
    box.current?.focus()
    if (cell.start !== undefined) show(cell.start)
    else if (code === '') show('')
    else box.current?.select()
    // oxlint-disable-next-line react/exhaustive-deps -- opening belongs to mounting: the grid mounts a new editor for every cell it edits
  }, [])

  const shown = text ?? labelOf(code, name)
  return (
    <div className={classes(css['lookup'], cell !== undefined && css['inCell'])}>
      <input
        ref={box}
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-label={cell === undefined ? undefined : label}
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        aria-required={props.required === true || undefined}
        className={cell === undefined ? classes(input['input'], css['box']) : css['cellBox']}
        readOnly={readOnly}
        value={shown}
        placeholder={readOnly ? undefined : t('ui.lookup.placeholder')}
        onFocus={(event) => {
          if (cell === undefined) event.target.select()
        }}
        onClick={() => {
          if (!readOnly && !open) show(text ?? '')
        }}
        onChange={(event) => {
          setText(event.target.value)
          onUnread(undefined)
          told.current = undefined
          // What stands in the list was found for less than this: Tab must not take it.
          setActive(-1)
          isPicked.current = false
          setOpen(true)
          search(event.target.value.trim(), searchDelay)
        }}
        onKeyDown={readOnly ? undefined : onKeyDown}
        onBlur={() => {
          if (dialog) return
          if (cell === undefined && text !== undefined) void handIn()
          else hide()
        }}
      />
      {!readOnly && cell === undefined && (
        <IconButton icon="search" tabIndex={-1} className={css['button']} label={t('ui.lookup.search', { field: label })} onClick={() => setDialog(true)} />
      )}
      <OptionList
        id={listId}
        label={label}
        box={box}
        isOpen={open}
        options={(options ?? none).map((option) => [codeOf(option), asideOf(option)])}
        active={active}
        recent={recent}
        least={260}
        onChoose={(at) => {
          choose(options?.[at] ?? null)
          box.current?.focus()
        }}
      >
        {note(blocked, searching, options?.length)}
        {canCreate && (
          <button
            type="button"
            id={`${listId}-${count}`}
            tabIndex={-1}
            className={classes(css['create'], active === count && css['chosen'])}
            onMouseDown={(event) => event.preventDefault()}
            onClick={begin}
          >
            {t('ui.lookup.create', { label: props.noun ?? label })}
          </button>
        )}
      </OptionList>
      {creating !== undefined && props.create !== undefined && (
        // A form of its own: its keys are not those of the form around it.
        <div onKeyDown={(event) => event.stopPropagation()}>
          <Suspense fallback={null}>
            <FormPanel
              screenId={props.create.screen}
              recordId={undefined}
              isOver
              named={creating === '' ? undefined : creating}
              params={props.create.params}
              onClose={() => {
                setCreating(undefined)
                box.current?.focus()
              }}
              onSaved={(record) => {
                setCreating(undefined)
                void optionsOf(source, [record.ID]).then((answer) => choose((answer.ok ? answer.value[0] : undefined) ?? record))
              }}
            />
          </Suspense>
        </div>
      )}
      {dialog && (
        <Suspense fallback={null}>
          <LookupDialog
            title={t('ui.lookup.search', { field: label })}
            source={source}
            blocked={blocked}
            start={text ?? ''}
            onChoose={(option) => {
              setDialog(false)
              choose(option)
            }}
            onClose={() => setDialog(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function note(blocked: string | undefined, searching: boolean, found: number | undefined): ReactNode {
  const unfound = found === undefined ? t('ui.lookup.unanswered') : found === 0 ? t('ui.lookup.none') : undefined
  const text = blocked !== undefined ? t('ui.lookup.blocked', { field: blocked }) : searching ? t('ui.loading') : unfound
  return text === undefined ? null : (
    <div role="status" className={css['note']}>
      {text}
    </div>
  )
}
