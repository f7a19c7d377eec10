import type { FlowNode } from '#api/data.ts'
import { documentPath, statusTone } from '../app/documents.ts'
import { formatDate, formatMoney } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t, tFirst } from '../app/messages.ts'
import { readFlow } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './FlowTab.module.css'

/** Order to money from left to right, each document a link; the one looked at is marked. */
export function FlowTab({ resource, id, entity }: { readonly resource: string; readonly id: number; readonly entity: string }) {
  const { value, problem, reload } = useAnswer(`flow ${resource} ${id}`, (signal) => readFlow(resource, id, signal))
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={5} />
  if (value.records.length === 0) return <EmptyState title={t('ui.flow.none')} />
  const levels = [...new Set(value.records.map((node) => node.Level))].toSorted((a, b) => a - b)
  return (
    <ol className={css['flow']}>
      {levels.map((level) => (
        <li key={level} className={css['level']}>
          {value.records
            .filter((node) => node.Level === level)
            .map((node) => (
              <Node key={node.Key} node={node} parents={value.records.filter((other) => node.Parents.includes(other.Key))} isHere={node.DocType === entity && node.ID === id} />
            ))}
        </li>
      ))}
    </ol>
  )
}

function Node({ node, parents, isHere }: { readonly node: FlowNode; readonly parents: readonly FlowNode[]; readonly isHere: boolean }) {
  const path = isHere ? undefined : documentPath(node.DocType, node.ID)
  const content = (
    <>
      <span className={css['type']}>{t(`entity.${node.DocType}`)}</span>
      <strong className={css['code']}>{node.Code}</strong>
      <span className={css['line']}>
        {formatDate(node.Date)} <Badge tone={statusTone(node.Status)}>{tFirst([`status.${node.DocType}.${node.Status}`], t(`status.${node.Status}`))}</Badge>
      </span>
      {node.Amount !== null && <span className={css['amount']}>{formatMoney(node.Amount)}</span>}
      {parents.length > 0 && <span className="visually-hidden">{t('ui.flow.from', { documents: parents.map((parent) => parent.Code).join(', ') })}</span>}
    </>
  )
  const name = classes(css['node'], isHere && css['here'])
  return path === undefined ? (
    <div className={name} aria-current={isHere ? 'page' : undefined}>
      {content}
    </div>
  ) : (
    <Link to={path} className={name}>
      {content}
    </Link>
  )
}
