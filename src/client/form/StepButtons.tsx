import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import css from './StepButtons.module.css'

interface StepButtonsProps {
  readonly tabs: readonly { readonly id: string; readonly title: string }[]
  readonly current: string
  readonly onSelect: (id: string) => void
}

/** Back and on, under the step that is shown. */
export function StepButtons({ tabs, current, onSelect }: StepButtonsProps) {
  const at = tabs.findIndex(({ id }) => id === current)
  const before = tabs[at - 1]
  const next = tabs[at + 1]
  return (
    <div className={css['steps']}>
      {before !== undefined && <Button onClick={() => onSelect(before.id)}>{t('ui.wizard.back')}</Button>}
      {next !== undefined && <Button onClick={() => onSelect(next.id)}>{t('ui.wizard.next', { title: next.title })}</Button>}
    </div>
  )
}
