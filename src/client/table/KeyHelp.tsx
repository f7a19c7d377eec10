import { t } from '../app/messages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import css from './KeyHelp.module.css'

const keys = [
  ['/', 'ui.keys.search'],
  ['↑ ↓ PgUp PgDn', 'ui.keys.walk'],
  ['Home End', 'ui.keys.ends'],
  ['← →', 'ui.keys.cells'],
  ['Enter', 'ui.keys.open'],
  ['Ctrl Enter', 'ui.keys.new-tab'],
  ['Space', 'ui.keys.select'],
  ['P', 'ui.keys.preview'],
  ['Shift ↑ ↓ ← →', 'ui.keys.range'],
  ['Ctrl A', 'ui.keys.all'],
  ['Ctrl C', 'ui.keys.copy'],
  ['Shift Enter', 'ui.keys.sort-more'],
  ['Alt ↓', 'ui.keys.column'],
  ['Shift ← →', 'ui.keys.resize'],
  ['Ctrl ← →', 'ui.keys.move'],
  ['Esc', 'ui.keys.close'],
  ['Ctrl K', 'ui.keys.palette'],
  ['?', 'ui.keys.help'],
] as const

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('ui.keys.title')} onClose={onClose}>
      <dl className={css['keys']}>
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
