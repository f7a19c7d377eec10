import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import css from './RowResults.module.css'
import { words } from './words.ts'

export interface RowResultLine {
  readonly id: number
  /** Document number or name of the row. */
  readonly label: string
  readonly ok: boolean
  readonly text: string
}

interface RowResultsProps {
  readonly title: string
  readonly labels: { readonly done: string; readonly refused: string; readonly document: string; readonly result: string }
  readonly results: readonly RowResultLine[]
  readonly onClose: () => void
}

/** What became of each selected row, refusals first. */
export function RowResults({ title, labels, results, onClose }: RowResultsProps) {
  const sorted = results.toSorted((a, b) => Number(a.ok) - Number(b.ok))
  return (
    <Dialog
      title={title}
      shape="wide"
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {words().close}
        </Button>
      }
    >
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{labels.document}</th>
            <th scope="col">{labels.result}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.id}>
              <td>{row.label}</td>
              <td>
                <Badge tone={row.ok ? 'positive' : 'negative'}>{row.ok ? labels.done : labels.refused}</Badge> {row.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
