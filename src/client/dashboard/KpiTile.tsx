import type { Amount, KpiAnswer } from '#api/dashboard.ts'
import { headed } from '#api/heads.ts'
import { difference } from '#domain/reporting/difference.ts'
import { formatDate } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { classes } from '../ui/classes.ts'
import css from './DashboardTile.module.css'
import { amountsOf, fullText, markOf, shortText } from './figure.tsx'

/** One figure, what it is compared with, and what it should be. */
export function KpiTile({ answer }: { readonly answer: KpiAnswer }) {
  const amounts = amountsOf(answer.amounts)
  const isSeveral = amounts.length > 1
  return (
    <div className={css['figures']}>
      {amounts.map((amount) => (
        <div key={amount.currency ?? ''}>
          <p className={classes(css['figure'], css[answer.tone], isSeveral && css['smaller'])} title={fullText(answer.type, amount.value)}>
            <CurrencyMark mark={markOf(answer.type, amount.currency, isSeveral)} />
            {shortText(answer.type, amount.value)}
          </p>
          {answer.second !== undefined && (
            <p className={css['second']} title={fullText(answer.second.type, amount.second)}>
              {t(headed(answer.second, answer.heads, t).label)}: <strong>{shortText(answer.second.type, amount.second)}</strong>
            </p>
          )}
          {amount.target !== undefined && <Target answer={answer} amount={amount} />}
          {answer.compare !== undefined && <Comparison answer={answer} amount={amount} />}
        </div>
      ))}
    </div>
  )
}

function CurrencyMark({ mark }: { readonly mark: string | null }) {
  return mark === null ? null : <span className={css['currency']}>{mark}</span>
}

/** How far it is from an earlier period: a word, an arrow and a colour say the same. */
function Comparison({ answer, amount }: { readonly answer: KpiAnswer; readonly amount: Amount }) {
  const { compare = 'previous', good, type } = answer
  const found = difference(amount.value, amount.before ?? null)
  const words = t(`ui.compare.${compare}`, { before: shortText(type, amount.before) })
  const title = `${fullText(type, amount.before)}${spanText(answer.before)}`
  if (found === null) {
    return (
      <p className={css['compare']} title={title}>
        {words}
      </p>
    )
  }
  const way = found.amount.startsWith('-') ? 'down' : /[1-9]/.test(found.amount) ? 'up' : 'level'
  const tone = good === undefined || way === 'level' ? undefined : way === good ? 'positive' : 'negative'
  return (
    <p className={css['compare']} title={title}>
      <span className={classes(css['change'], tone && css[tone])}>
        {way !== 'level' && <Icon name={way} size={13} />}
        {type === 'percent' ? t('ui.compare.points', { n: shortText('quantity', found.amount.replace('-', '')) }) : found.percent === null ? shortText(type, found.amount.replace('-', '')) : `${found.percent.replace('-', '')} %`}
        <span className="visually-hidden">{t(`ui.compare.way.${way}`)}</span>
      </span>{' '}
      {words}
    </p>
  )
}

function Target({ answer, amount }: { readonly answer: KpiAnswer; readonly amount: Amount }) {
  const { type } = answer
  const [value, target] = [Number(amount.value ?? 0), Number(amount.target ?? 0)]
  const share = target === 0 ? 0 : Math.max(0, Math.min(100, (value / target) * 100))
  return (
    <div className={css['target']}>
      <meter min={0} max={100} value={share} aria-label={t('ui.target')}>
        {Math.round(share)} %
      </meter>
      <span title={fullText(type, amount.target)}>{t('ui.target-of', { percent: Math.round(target === 0 ? 0 : (value / target) * 100), target: shortText(type, amount.target) })}</span>
    </div>
  )
}

/** ` (01/10/2025 – 20/10/2025)`. */
function spanText(parameters: Readonly<Record<string, string>> | undefined): string {
  const days = Object.values(parameters ?? {}).filter((value) => /^\d{4}-\d{2}-\d{2}$/.test(value))
  const shown = [...new Set(days)].toSorted().map(formatDate)
  return shown.length === 0 ? '' : ` (${[shown[0], ...(shown.length > 1 ? [shown.at(-1)] : [])].join(' – ')})`
}
