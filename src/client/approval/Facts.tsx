import { Fragment } from 'react'
import type { ApprovalFact } from '#api/approval.ts'
import { formatMoney, formatNumber, formatPercent } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import css from './Facts.module.css'
import { factTable, type FactRow } from './factTable.ts'

interface FactsProps {
  readonly asked: readonly ApprovalFact[]
  readonly now: readonly ApprovalFact[]
  /** Decided: the first column says how it stood then. */
  readonly isDecided: boolean
}

/** The numbers behind a request side by side: as they stand, and in grey as they stood when it was made. */
export function Facts({ asked, now, isDecided }: FactsProps) {
  const blocks = factTable(asked, now)
  if (blocks.length === 0) return null
  // Older requests kept nothing: a column of dashes would be read as numbers that were missing then.
  const isKept = asked.length > 0
  const groups = [...new Set(blocks.map(({ group }) => group))]
  return (
    <div className={css['facts']}>
      {groups.map((group) => (
        <table key={group} className={classes(css['table'], !isKept && css['single'])}>
          <caption>{t(`fact.group.${group}`)}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('fact.number')}</span>
              </th>
              <th scope="col">{t(isDecided ? 'fact.decided' : 'fact.now')}</th>
              {isKept && (
                <th scope="col" className={css['asked']}>
                  {t('fact.asked')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {blocks
              .filter((block) => block.group === group)
              .map((block) => (
                <Fragment key={block.subject ?? ''}>
                  {block.subject !== undefined && (
                    <tr className={css['subject']}>
                      <th scope="rowgroup" colSpan={isKept ? 3 : 2}>
                        {block.subject}
                      </th>
                    </tr>
                  )}
                  {block.rows.map((row) => (
                    <Row key={row.name} row={row} isKept={isKept} />
                  ))}
                </Fragment>
              ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}

function Row({ row, isKept }: { readonly row: FactRow; readonly isKept: boolean }) {
  return (
    <tr>
      <th scope="row">{t(`fact.${row.name}`)}</th>
      <td className={classes(row.change !== 'none' && css['changed'])}>
        {row.change !== 'none' && row.change !== 'other' && (
          <span className={css['turn']} title={t(`fact.${row.change}`)}>
            <Icon name={row.change} size={12} />
            <span className="visually-hidden">{t(`fact.${row.change}`)}</span>
          </span>
        )}
        <Value fact={row.now} />
      </td>
      {isKept && (
        <td className={css['asked']}>
          <Value fact={row.asked} isPast />
        </td>
      )}
    </tr>
  )
}

function Value({ fact, isPast = false }: { readonly fact: ApprovalFact | undefined; readonly isPast?: boolean }) {
  if (fact === undefined) return <span className={css['none']}>–</span>
  if (!fact.isOver || isPast) return <>{factText(fact)}</>
  return (
    <span className={css['over']} title={t('fact.over')}>
      <Icon name="warning" size={13} />
      <span className="visually-hidden">{t('fact.over')}</span>
      {factText(fact)}
    </span>
  )
}

function factText({ format, value }: ApprovalFact): string {
  if (value === null) return t('fact.unlimited')
  switch (format) {
    case 'money':
      return formatMoney(value)
    case 'percent':
      return formatPercent(value)
    case 'days':
      return t('fact.n-days', { n: formatNumber(value) })
    case 'count':
      return formatNumber(value)
  }
}
