import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import { Popover } from '../ui/Popover.tsx'
import { valueText, type AnyRecord } from './cells.tsx'
import css from './ColumnChooser.module.css'

interface ColumnChooserProps {
  readonly columns: readonly Column[]
  readonly visible: readonly Column[]
  readonly onChange: (name: string, isShown: boolean) => void
  readonly onReset: () => void
  /** Rows on the page, for copying. */
  readonly rows: readonly AnyRecord[]
}

/** Which columns are shown, remembered for the screen; and the page as text for a spreadsheet. */
export function ColumnChooser({ columns, visible, onChange, onReset, rows }: ColumnChooserProps) {
  return (
    <Popover trigger={<Icon name="columns" />} triggerClass={css['button']} label={t('ui.columns')} align="end">
      {(close) => (
        <div className={css['panel']}>
          <div className={css['list']}>
            {columns.map((column) => (
              <label key={column.name} className={css['option']} htmlFor={`column-${column.name}`}>
                <input
                  id={`column-${column.name}`}
                  type="checkbox"
                  className={input['check']}
                  checked={visible.includes(column)}
                  disabled={visible.length === 1 && visible.includes(column)}
                  onChange={(event) => onChange(column.name, event.target.checked)}
                />
                {t(column.label)}
              </label>
            ))}
          </div>
          <Button icon="refresh" onClick={onReset}>
            {t('ui.columns.reset')}
          </Button>
          <Button
            icon="copy"
            onClick={() => {
              close()
              void copyRows(visible, rows)
            }}
          >
            {t('ui.copy')}
          </Button>
        </div>
      )}
    </Popover>
  )
}

/** Tab-separated text with a line of headings: what spreadsheets paste. */
async function copyRows(columns: readonly Column[], rows: readonly AnyRecord[]): Promise<void> {
  const lines = rows.map((row) => columns.map((column) => cell(valueText(column, row))).join('\t'))
  await navigator.clipboard.writeText([columns.map((column) => t(column.label)).join('\t'), ...lines].join('\n'))
  await notify({ tone: 'success', text: t('ui.copied', { n: rows.length }) })
}

function cell(text: string): string {
  return text.replace(/[\t\n]/g, ' ')
}
