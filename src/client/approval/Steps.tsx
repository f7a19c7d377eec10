import type { ApprovalStep, ApproverNeeded } from '#api/approval.ts'
import type { Tone } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { Moment } from '../app/Moment.tsx'
import { Badge } from '../ui/Badge.tsx'
import css from './Steps.module.css'

export const stepTones: Readonly<Record<ApprovalStep['Action'], Tone>> = { ASK: 'info', APPROVE: 'positive', REJECT: 'negative', RETURN: 'warning' }

/** Who asked, who has decided what, in whose name, when and why; then whose word is still needed. */
export function Steps({ steps, approvers }: { readonly steps: readonly ApprovalStep[]; readonly approvers: readonly ApproverNeeded[] }) {
  return (
    <section className={css['steps']}>
      <h3>{t('ui.approval.steps')}</h3>
      <ol>
        {steps.map((step, i) => (
          <li key={i}>
            <span className={css['line']}>
              <Badge tone={stepTones[step.Action]}>{t(`ui.approval.step.${step.Action}`)}</Badge>
              {step.Level > 0 && <span className={css['aside']}>{t('ui.approval.at-level', { level: step.Level })}</span>}
            </span>
            <span>{step.OnBehalfOfName === null ? step.ActorName : t('ui.on-behalf', { name: step.ActorName, other: step.OnBehalfOfName })}</span>
            <Moment className={css['aside']} at={step.At} />
            {step.Note !== null && step.Note !== '' && <p className={css['note']}>{step.Note}</p>}
          </li>
        ))}
        {approvers.map((one, i) => (
          <li key={`${one.Level} ${one.Name} ${i}`} className={css['open']}>
            <span className={css['line']}>
              <Badge>{t('ui.approval.step.OPEN')}</Badge>
              <span className={css['aside']}>{t('ui.approval.at-level', { level: one.Level })}</span>
            </span>
            <span>{one.Name}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
