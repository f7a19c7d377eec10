import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { MenuEntry } from '#api/session.ts'
import { statusTone } from '../app/documents.ts'
import { useHistory } from '../app/historyContext.ts'
import { t } from '../app/messages.ts'
import { preload } from '../app/preload.ts'
import { starsAtom, starTitle } from '../app/stars.ts'
import { useMayOpen } from '../companion/mayOpen.ts'
import { keepSearch, recentPages, recentSearches } from '../companion/recent.ts'
import { sessionAtom } from '../data/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import css from './CommandPalette.module.css'
import { grouped, matching, pageChoices, recentChoices, recordChoices, searchChoices, type Choice } from './sources.ts'
import { useActionChoices } from './useActionChoices.ts'
import { useHits } from './useHits.ts'

interface CommandPaletteProps {
  readonly menu: readonly MenuEntry[]
  readonly pathname: string
  readonly onClose: () => void
}

/** Type part of a page's name, a document's number or a customer's name; Enter opens it, with Ctrl in a new tab. */
export function CommandPalette({ menu, pathname, onClose }: CommandPaletteProps) {
  const id = useId()
  const history = useHistory()
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<string>()
  /** Enter came before the answer: what it finds first is opened, in a new tab or here. */
  const [awaited, setAwaited] = useState<boolean>()
  const { choices, isLoading, problem } = useChoices(menu, pathname, search, userId)
  const groups = grouped(choices)
  const inOrder = groups.flatMap((group) => group.choices)
  const current = inOrder.find((choice) => choice.id === picked) ?? inOrder[0]
  // Ids hold no spaces: what refers to them would take them for several.
  const elementId = (choice: Choice): string => `${id}-${inOrder.indexOf(choice)}`
  const currentElement = current === undefined ? undefined : elementId(current)

  useEffect(() => {
    if (currentElement !== undefined) document.getElementById(currentElement)?.scrollIntoView({ block: 'nearest' })
  }, [currentElement, current?.id])

  const choose = (choice: Choice, isNewTab: boolean) => {
    const { does } = choice
    if (does.kind === 'type') {
      setSearch(does.text)
      return
    }
    if (search !== '' && does.kind === 'go') keepSearch(userId, search)
    onClose()
    if (does.kind === 'run') does.run()
    else if (isNewTab) window.open(does.path, '_blank', 'noopener')
    else history.push(does.path)
  }
  const move = (to: number) => {
    const next = inOrder[(to + inOrder.length) % inOrder.length]
    if (next === undefined) return
    setPicked(next.id)
    if (next.does.kind === 'go') preload(next.does.path)
  }
  const onKey = (event: KeyboardEvent) => {
    const at = current === undefined ? -1 : inOrder.indexOf(current)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 8, inOrder.length - 1), PageUp: Math.max(at - 8, 0) }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      move(to)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const isNewTab = event.ctrlKey || event.metaKey
      if (current !== undefined) choose(current, isNewTab)
      else if (isLoading) setAwaited(isNewTab)
    }
  }
  const settle = useRef(choose)
  useEffect(() => {
    settle.current = choose
  })
  useEffect(() => {
    if (awaited === undefined || isLoading) return
    setAwaited(undefined)
    if (current !== undefined) settle.current(current, awaited)
  }, [awaited, isLoading, current])
  return (
    <Dialog title={t('ui.go-to')} shape="wide" onClose={onClose}>
      <input
        className={input['input']}
        type="search"
        role="combobox"
        aria-label={t('ui.go-to')}
        aria-controls={`${id}-found`}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-activedescendant={currentElement}
        placeholder={t('ui.palette.placeholder')}
        autoComplete="off"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to type
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setPicked(undefined)
          setAwaited(undefined)
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}-found`} className={css['found']} role="listbox" aria-label={t('ui.go-to')} aria-busy={isLoading}>
        {groups.map(({ group, choices: lines }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className={css['heading']}>
              {t(group)}
            </p>
            {lines.map((choice) => (
              <div
                key={choice.id}
                id={elementId(choice)}
                role="option"
                tabIndex={-1}
                aria-selected={choice === current}
                className={classes(css['entry'], choice === current && css['current'])}
                onPointerDown={() => (choice.does.kind === 'go' ? preload(choice.does.path) : undefined)}
                onPointerMove={() => setPicked(choice.id)}
                onClick={(event) => choose(choice, event.ctrlKey || event.metaKey)}
              >
                <Icon name={choice.icon} size={16} />
                <span className={css['label']}>{choice.label}</span>
                <span className={css['hint']}>{choice.hint}</span>
                {typeof choice.status === 'number' && <Badge tone={statusTone(choice.status)}>{t(`status.${choice.status}`)}</Badge>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={css['none']} role="status">
        {problem ?? (isLoading ? t('ui.palette.searching') : inOrder.length === 0 ? t('ui.nothing-found') : '')}
      </p>
    </Dialog>
  )
}

function useChoices(menu: readonly MenuEntry[], pathname: string, search: string, userId: number) {
  const stars = useAtomValue(starsAtom)
  const actions = useActionChoices()
  const { hits, isLoading, problem } = useHits(search)
  const mayOpen = useMayOpen()
  if (search.trim() === '') {
    const starred = stars
      .filter((star) => star.url !== pathname && mayOpen(star.url))
      .slice(0, 5)
      .map((star): Choice => ({ id: `star ${star.url}`, group: 'ui.home.starred', label: starTitle(star), hint: '', icon: 'star', does: { kind: 'go', path: star.url } }))
    const choices = [...searchChoices(recentSearches(userId)), ...recentChoices(recentPages(userId), pathname, mayOpen, 6), ...starred, ...pageChoices(menu, '').filter(({ group }) => group === 'ui.palette.actions'), ...actions]
    return { choices, isLoading: false, problem: undefined }
  }
  const pages = pageChoices(menu, search)
  // Of the last answer stays what fits what is typed by now: Enter opens nothing else.
  const records = isLoading ? matching(recordChoices(hits, mayOpen), search) : recordChoices(hits, mayOpen)
  return { choices: [...pages.filter(({ group }) => group === 'ui.palette.pages'), ...records, ...pages.filter(({ group }) => group !== 'ui.palette.pages'), ...matching(actions, search)], isLoading, problem }
}
