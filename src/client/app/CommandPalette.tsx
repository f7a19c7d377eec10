import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import type { MenuEntry } from '#api/session.ts'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import input from '../ui/input.module.css'
import css from './CommandPalette.module.css'
import { entryLabel, foundIn } from './menuSearch.ts'
import { t } from './messages.ts'
import { preload } from './preload.ts'

/** Type part of a page's name, Enter opens it. */
export function CommandPalette({ menu, onClose }: { readonly menu: readonly MenuEntry[]; readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const found = ranked(foundIn(menu, search).flatMap((group) => group.submenu.map((entry) => ({ group, entry }))), search)
  const current = found[Math.min(at, found.length - 1)]

  const open = (url: string) => {
    onClose()
    void navigate(url)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      event.preventDefault()
      const next = (Math.min(at, found.length - 1) + step + found.length) % found.length
      setAt(next)
      const url = found[next]?.entry.url
      if (url !== undefined) preload(url)
    }
    if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault()
      open(current.entry.url)
    }
  }
  return (
    <Dialog title={t('ui.go-to')} onClose={onClose}>
      <input
        className={input['input']}
        type="search"
        role="combobox"
        aria-label={t('ui.go-to')}
        aria-controls="palette-found"
        aria-expanded="true"
        aria-activedescendant={current === undefined ? undefined : `palette-${current.entry.url}`}
        placeholder={t('ui.search-menu')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to type
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-found" className={css['found']} role="listbox" aria-label={t('ui.menu')}>
        {found.map(({ group, entry }) => (
          <li
            key={entry.url}
            id={`palette-${entry.url}`}
            role="option"
            aria-selected={entry === current?.entry}
            className={classes(css['entry'], entry === current?.entry && css['current'])}
            onPointerDown={() => preload(entry.url)}
            onClick={() => open(entry.url)}
          >
            <span>{entryLabel(entry)}</span>
            <span className={css['group']}>{entryLabel(group)}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={css['none']}>{t('ui.nothing-found')}</p>}
    </Dialog>
  )
}

interface Found {
  readonly group: MenuEntry
  readonly entry: MenuEntry
}

/** Names that begin with what was typed come first, then names that hold it, then the rest in menu order. */
function ranked(found: readonly Found[], search: string): readonly Found[] {
  const typed = search.trim().toLowerCase()
  if (typed === '') return found
  const rank = ({ entry }: Found) => {
    const at = entryLabel(entry).toLowerCase().indexOf(typed)
    return at === 0 ? 0 : at > 0 ? 1 : 2
  }
  return found.toSorted((a, b) => rank(a) - rank(b))
}
