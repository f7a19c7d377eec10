import type { ProposedChange, ProposedValue } from '#api/approval.ts'
import { t } from '../app/messages.ts'
import css from './Facts.module.css'

/** Values somebody wants changed, old and new side by side. */
export function Changes({ changes }: { readonly changes: readonly ProposedChange[] }) {
  if (changes.length === 0) return null
  return (
    <table className={css['table']}>
      <caption>{t('ui.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('ui.changes.field')}</span>
          </th>
          <th scope="col">{t('ui.changes.from')}</th>
          <th scope="col">{t('ui.changes.to')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ Field, Label, From, To }) => (
          <tr key={Field}>
            <th scope="row">{t(Label)}</th>
            <td>{valueText(From)}</td>
            <td className={css['changed']}>{valueText(To)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function valueText(value: ProposedValue | null): string {
  if (value === null) return '–'
  return value.key === undefined ? value.text : t(value.key)
}
