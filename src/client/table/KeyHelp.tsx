import { t } from '../app/messages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import css from './KeyHelp.module.css'

const keys = [
  ['/', 'ui.keys.search'],
  ['↑ ↓', 'ui.keys.walk'],
  ['Enter', 'ui.keys.open'],
  ['Ctrl Enter', 'ui.keys.new-tab'],
  ['Space', 'ui.keys.select'],
  ['Shift', 'ui.keys.sort-more'],
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
