import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view'
import { explanationAt, type Help, type Suggestion, type Suggestions, suggestionsAt } from '#meta/authoring/complete.ts'

interface Open extends Suggestions {
  readonly chosen: number
}

const set = StateEffect.define<Open | undefined>()
const listId = 'suggestions'

/** What may stand at the cursor, while one types or asked for with Ctrl+Space, and what a word means under the pointer. `label` names the list. */
export function jsonHelp(help: () => Help | undefined, label: string): Extension {
  const found = (view: EditorView, isAsked: boolean): Open | undefined => {
    const { state } = view
    const { head, empty } = state.selection.main
    const given = help()
    const suggestions = given === undefined || !empty ? undefined : suggestionsAt(given, state.doc.toString(), head)
    if (suggestions === undefined) return undefined
    const written = state.sliceDoc(suggestions.from, suggestions.to)
    // Typing goes on undisturbed where nothing has been begun and where what stands there is what may.
    if (!isAsked && (written === '' || suggestions.options.every(({ text }) => text === written))) return undefined
    return { ...suggestions, chosen: 0 }
  }
  const field = StateField.define<Open | undefined>({
    create: () => undefined,
    update: (open, transaction) => {
      for (const effect of transaction.effects) if (effect.is(set)) return effect.value
      return transaction.docChanged || transaction.selection !== undefined ? undefined : open
    },
    provide: (own) => [
      showTooltip.from(own, (open): Tooltip | null => (open === undefined ? null : { pos: open.from, above: false, create: (view) => ({ dom: listOf(view, open, label) }) })),
      EditorView.contentAttributes.compute([own], (state) => {
        const open = state.field(own)
        return { 'aria-autocomplete': 'list', ...(open === undefined ? {} : { 'aria-controls': listId, 'aria-activedescendant': optionId(open.chosen) }) }
      }),
    ],
  })
  const step = (by: number) => (view: EditorView): boolean => {
    const open = view.state.field(field)
    if (open === undefined) return false
    view.dispatch({ effects: set.of({ ...open, chosen: (open.chosen + by + open.options.length) % open.options.length }) })
    return true
  }
  const close = (view: EditorView): boolean => {
    if (view.state.field(field) === undefined) return false
    view.dispatch({ effects: set.of(undefined) })
    return true
  }
  const take = (view: EditorView): boolean => {
    const open = view.state.field(field)
    const chosen = open?.options[open.chosen]
    if (open === undefined || chosen === undefined) return false
    put(view, open, chosen)
    return true
  }
  const ask = (view: EditorView): boolean => {
    view.dispatch({ effects: set.of(found(view, true)) })
    return true
  }
  return [
    field,
    Prec.highest(keymap.of([
      { key: 'ArrowDown', run: step(1) }, { key: 'ArrowUp', run: step(-1) }, { key: 'Enter', run: take }, { key: 'Escape', run: close }, { key: 'Ctrl-Space', run: ask },
    ])),
    EditorView.updateListener.of(({ view, docChanged, transactions }) => {
      if (!docChanged || !transactions.some((one) => one.isUserEvent('input.type') || one.isUserEvent('delete.backward'))) return
      const open = found(view, false)
      // An update cannot begin another one.
      if (open !== undefined) queueMicrotask(() => view.dispatch({ effects: set.of(open) }))
    }),
    EditorView.domEventHandlers({
      blur: (_, view) => {
        queueMicrotask(() => close(view))
      },
    }),
    hoverTooltip(({ state }, position) => {
      const given = help()
      const said = given === undefined ? undefined : explanationAt(given, state.doc.toString(), position)
      if (said === undefined) return null
      return {
        pos: said.from, end: said.to, above: true,
        create: () => {
          const dom = document.createElement('div')
          dom.className = 'cm-explanation'
          dom.textContent = said.text
          return { dom }
        },
      }
    }),
    look,
  ]
}

const optionId = (at: number): string => `${listId}-${at}`

function listOf(view: EditorView, { options, chosen, ...at }: Open, label: string): HTMLElement {
  const list = document.createElement('ul')
  list.id = listId
  list.className = 'cm-suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', label)
  const items = options.map((option, i) => {
    const item = document.createElement('li')
    item.id = optionId(i)
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', String(i === chosen))
    const name = document.createElement('b')
    name.textContent = option.label
    const about = document.createElement('span')
    about.textContent = option.about
    item.append(name, about)
    item.addEventListener('mousedown', (event) => {
      event.preventDefault()
      put(view, at, option)
    })
    return item
  })
  list.append(...items)
  requestAnimationFrame(() => items[chosen]?.scrollIntoView({ block: 'nearest' }))
  return list
}

/** Puts it in place; a key that has no value yet gets its colon. */
function put(view: EditorView, { from, to }: Pick<Suggestions, 'from' | 'to'>, { text, isKey }: Suggestion): void {
  const hasColon = /^\s*:/.test(view.state.sliceDoc(to, Math.min(to + 80, view.state.doc.length)))
  const insert = isKey && !hasColon ? `${text}: ` : text
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, effects: set.of(undefined), userEvent: 'input.complete', scrollIntoView: true })
}

const look = EditorView.theme({
  '.cm-suggestions': { margin: '0', padding: '0.25rem', maxHeight: '16rem', overflow: 'auto', listStyle: 'none', fontFamily: 'var(--font, sans-serif)' },
  '.cm-suggestions > li': { display: 'flex', flexDirection: 'column', padding: '0.25rem 0.5rem', borderRadius: '0.25rem', cursor: 'pointer' },
  '.cm-suggestions > li[aria-selected=true]': { backgroundColor: 'var(--marked)' },
  '.cm-suggestions > li:hover': { backgroundColor: 'var(--hover)' },
  '.cm-suggestions span': { color: 'var(--muted)', fontSize: 'var(--text-xs)' },
  '.cm-explanation': { padding: '0.25rem 0.5rem', maxWidth: '24rem' },
})
