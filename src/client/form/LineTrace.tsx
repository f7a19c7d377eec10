import { formatMoney, formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import type { WireRecord } from '#api/envelope.ts'
import css from './LineTrace.module.css'

interface Step {
  readonly step: string
  readonly source: string
  readonly before: string
  readonly after: string
}

/** How each computed line came about: one step after another from price to total, free lines included. */
export function LineTrace({ lines, trace }: { readonly lines: readonly WireRecord[]; readonly trace: string }) {
  const traced = lines.map((line) => ({ line, steps: stepsOf(line[trace]) })).filter(({ steps }) => steps.length > 0)
  if (traced.length === 0) return null
  return (
    <section className={css['trace']} aria-label={t('ui.trace.title')}>
      <h2>{t('ui.trace.title')}</h2>
      {traced.map(({ line, steps }, i) => (
        <details key={i} open={i === 0}>
          <summary>
            <strong>{text(line['ItemCode'])}</strong> {text(line['ItemName'])}
            <span className={css['what']}>
              {formatNumber(text(line['Qty']))} {text(line['Uom'])}
            </span>
            {line['IsFree'] === true && <span className={css['what']}>{t('field.is_free')}</span>}
            <span className={css['sum']}>{formatMoney(text(line['Total']))}</span>
          </summary>
          <div className={css['scroll']}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('ui.trace.step')}</th>
                  <th scope="col">{t('ui.trace.source')}</th>
                  <th scope="col" className={css['number']}>{t('ui.trace.before')}</th>
                  <th scope="col" className={css['number']}>{t('ui.trace.after')}</th>
                </tr>
              </thead>
              <tbody>
                {steps.map((step, n) => (
                  <tr key={n}>
                    <th scope="row">{t(`trace.${step.step}`)}</th>
                    <td className={css['source']}>{step.source}</td>
                    <td className={classes(css['number'], css['before'])}>{formatMoney(step.before)}</td>
                    <td className={css['number']}>{formatMoney(step.after)}</td>
                  </tr>
                ))}
                {line['IsFree'] !== true && (
                  <>
                    <Closing label="field.dpp" value={line['Dpp']} />
                    <Closing label="field.ppn" value={line['Ppn']} />
                    <Closing label="field.total" value={line['Total']} />
                  </>
                )}
              </tbody>
            </table>
          </div>
        </details>
      ))}
    </section>
  )
}

function Closing({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <tr>
      <th scope="row" colSpan={3}>
        {t(label)}
      </th>
      <td className={css['number']}>{formatMoney(text(value))}</td>
    </tr>
  )
}

function stepsOf(value: unknown): readonly Step[] {
  return Array.isArray(value) ? value.filter(isStep) : []
}

function isStep(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && 'step' in value && typeof value.step === 'string' && 'source' in value && 'before' in value && 'after' in value
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
