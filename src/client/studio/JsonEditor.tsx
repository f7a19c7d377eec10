import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import type { Help } from '#meta/authoring/complete.ts'
import type { Finding } from '#meta/check/finding.ts'
import { jsonHelp } from './jsonHelp.ts'
import css from './JsonEditor.module.css'

export interface EditorHandle {
  /** Puts the cursor at a place, from 1. */
  goTo(line: number, column: number): void
}

interface JsonEditorProps {
  readonly text: string
  readonly label: string
  readonly findings: readonly Finding[]
  /** What may stand in the text; undefined while it is on its way. */
  readonly help?: Help | undefined
  /** What the list of suggestions is called. */
  readonly suggestions: string
  readonly onChange: (text: string) => void
  readonly ref?: Ref<EditorHandle>
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: tags.string, color: 'var(--positive)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning)' },
])

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--text-s)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--muted)', borderRight: '1px solid var(--border)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': { backgroundColor: 'var(--marked)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--border-strong)', maxWidth: '28rem' },
})

/**
 * The text of the report with its findings underlined. It lives in a shadow root: there the editor's styles are constructed sheets, which the
 * page's content security policy allows, and no style is written into the page. Tab leaves it.
 */
export function JsonEditor({ text, label, findings, help, suggestions, onChange, ref }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const told = useRef(onChange)
  const opened = useRef(text)
  const known = useRef(help)
  useEffect(() => {
    told.current = onChange
    known.current = help
  })
  useLayoutEffect(() => {
    const { current: box } = host
    if (box === null) return undefined
    const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        // Nothing to be undone: whoever undoes everything is back at what he opened.
        doc: opened.current,
        extensions: [
          lineNumbers(), lintGutter(), history(), json(), bracketMatching(), indentOnInput(), highlightActiveLine(), syntaxHighlighting(colours), look, EditorView.lineWrapping,
          jsonHelp(() => known.current, suggestions),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.transactions.some((transaction) => transaction.isUserEvent('input') || transaction.isUserEvent('delete') || transaction.isUserEvent('undo') || transaction.isUserEvent('redo') || transaction.isUserEvent('move'))) told.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    // From outside, keys typed in a shadow root look as if nothing were being typed: the page's single-key commands must not hear them.
    const hush = (event: KeyboardEvent): void => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
    }
    box.addEventListener('keydown', hush)
    return () => {
      box.removeEventListener('keydown', hush)
      view.current = undefined
      editor.destroy()
    }
  }, [label, suggestions])
  // With the drawing, not after it: a key pressed in between would be taken for a change from elsewhere and undone.
  useLayoutEffect(() => {
    const editor = view.current
    // What was typed here is here already; only what came from elsewhere is put in.
    if (editor === undefined || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
    // Another language makes another editor, empty at first.
  }, [text, label, suggestions])
  useEffect(() => {
    const editor = view.current
    if (editor !== undefined) editor.dispatch(setDiagnostics(editor.state, findings.map((finding) => diagnosticOf(editor.state, finding))))
  }, [findings])
  useImperativeHandle(ref, () => ({
    goTo: (line, column) => {
      const editor = view.current
      if (editor === undefined) return
      editor.dispatch({ selection: { anchor: placeOf(editor.state, line, column) }, scrollIntoView: true })
      editor.focus()
    },
  }), [])
  return <div ref={host} className={css['editor']} />
}

function placeOf({ doc }: EditorState, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(found.from + Math.max(column - 1, 0), found.to)
}

/** The word at the place of the finding is underlined. */
function diagnosticOf(state: EditorState, { line, column, severity, code, message }: Finding): Diagnostic {
  const from = placeOf(state, line, column)
  const rest = state.doc.sliceString(from, state.doc.lineAt(from).to)
  const length = /^(?:"(?:[^"\\]|\\.)*"|[\w.-]+)/.exec(rest)?.[0].length ?? 1
  return { from, to: Math.min(from + length, state.doc.length), severity, source: code, message }
}
