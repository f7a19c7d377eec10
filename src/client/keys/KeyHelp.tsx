import { useState } from 'react'
import { t } from '../app/messages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import css from './KeyHelp.module.css'

const inRows = [
  ['↑ ↓ PgUp PgDn', 'ui.keys.walk'], ['Home End', 'ui.keys.ends'], ['← →', 'ui.keys.cells'], ['Enter', 'ui.keys.open'], ['Ctrl Enter', 'ui.keys.new-tab'],
  ['Shift ↑ ↓ ← →', 'ui.keys.range'], ['Ctrl C', 'ui.keys.copy'], ['Shift Enter', 'ui.keys.sort-more'], ['Alt ↓', 'ui.keys.column'], ['Shift ← →', 'ui.keys.resize'], ['Ctrl ← →', 'ui.keys.move'],
  ['Ctrl P', 'ui.print'],
] as const

/** What each part of a page understands, under the name it carries as `data-keys`; in the order they are told. */
const sets = {
  approval: [['/', 'ui.search'], ['↓', 'ui.keys.found'], ['J  K', 'ui.keys.step'], ['X', 'ui.keys.pick'], ['A', 'ui.keys.approve'], ['N', 'ui.approval.with-note'], ['R', 'ui.keys.reject'], ['T', 'ui.keys.return'], ['U', 'ui.undo']],
  list: [
    ['/', 'ui.search'], ['↓', 'ui.keys.found'], ['Space', 'ui.keys.select'], ['Ctrl A', 'ui.keys.all'], ['P', 'ui.keys.preview'], ...inRows,
  ],
  report: [['/', 'ui.search'], ['↓', 'ui.keys.found'], ...inRows],
  form: [['Ctrl S', 'ui.keys.save'], ['Ctrl Enter', 'ui.keys.submit'], ['↓', 'ui.keys.choices'], ['F4', 'ui.keys.lookup'], ['Alt ↓', 'ui.keys.calendar'], ['↑ ↓', 'ui.keys.day']],
  lines: [
    ['↑ ↓ ← →', 'ui.keys.cell'], ['Tab  Enter', 'ui.keys.next'], ['Ctrl ↑ ↓ ← →', 'ui.keys.edge'], ['F2', 'ui.keys.edit'], ['Esc', 'ui.keys.leave'], ['Shift ↑ ↓ ← →', 'ui.keys.mark'], ['Ctrl A', 'ui.keys.mark-all'],
    ['Ctrl C  Ctrl V', 'ui.keys.paste'], ['Ctrl D', 'ui.keys.fill'], ['Delete', 'ui.keys.empty'], ['Insert', 'ui.keys.insert'], ['Ctrl Delete', 'ui.keys.remove'], ['Ctrl Z  Ctrl Y', 'ui.keys.undo'],
  ],
  cells: [['↑ ↓ ← →', 'ui.keys.cell'], ['Ctrl ↑ ↓ ← →', 'ui.keys.edge'], ['Shift ↑ ↓ ← →', 'ui.keys.mark'], ['Ctrl C', 'ui.keys.copy']],
  table: [['↑ ↓ ← →', 'ui.keys.cell']],
  wizard: [['Alt PgDn', 'ui.keys.forth'], ['Alt PgUp', 'ui.keys.back'], ['Ctrl Enter', 'ui.keys.finish']],
  around: [['J  Alt PgDn', 'ui.keys.following'], ['K  Alt PgUp', 'ui.keys.preceding']],
  page: [['Ctrl K', 'ui.keys.palette'], ['Esc', 'ui.keys.close'], ['?  Ctrl /', 'ui.keys.help']],
} as const

type SetName = keyof typeof sets

/** The keys that work where one is: in the dialog on top, else on the page. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const [names] = useState(present)
  return (
    <Dialog title={t('ui.keys.title')} onClose={onClose} shape={names.length > 2 ? 'wide' : 'box'}>
      <div className={css['sets']}>
        {names.map((name) => (
          <section key={name}>
            <h3>{t(`ui.keys.in.${name}`)}</h3>
            <dl className={css['keys']}>
              {sets[name].map(([key, label]) => (
                <div key={`${key} ${label}`}>
                  <dt>
                    {key.split('  ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{t(label)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function present(): readonly SetName[] {
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const found = new Set([...place.querySelectorAll<HTMLElement>('[data-keys]')].map((part) => part.dataset['keys']))
  return (Object.keys(sets) as SetName[]).filter((name) => name === 'page' || found.has(name))
}
