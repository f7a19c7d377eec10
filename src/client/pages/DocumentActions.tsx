import { Suspense, useState } from 'react'
import type { OfferedAction } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import type { ClientTransition } from '#meta/screenModule.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { readActions } from '../data/aboutRecord.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { useActions } from '../table/useActions.tsx'
import { Button } from '../ui/Button.tsx'
import { lookOf } from './lookOf.ts'

const OtherActions = lazy(() => import('./OtherActions.tsx').then((module) => ({ default: module.OtherActions })))

interface DocumentActionsProps {
  readonly resource: string
  readonly transitions: readonly ClientTransition[]
  readonly record: WireRecord
  /** There is a screen to change the document in, and it is not this one: why it cannot be changed is told as well. */
  readonly hasForm: boolean
  /** After something has been carried out. */
  readonly onDone: () => void
}

/** What may be done with a document now, and what not, with the reason. */
export function DocumentActions({ resource, transitions, record, hasForm, onDone }: DocumentActionsProps) {
  const [round, setRound] = useState(0)
  const actions = useActions({
    resource,
    onDone: () => {
      setRound((before) => before + 1)
      onDone()
    },
    onPanel: () => undefined,
  })
  const hasWorkflow = transitions.length > 0
  const offers = useAnswer(`actions ${resource} ${record.ID} ${round} ${hasWorkflow}`, (signal) => (hasWorkflow ? readActions(resource, record.ID, signal) : Promise.resolve(none)))
  const refused = (offers.value?.records ?? []).filter(({ Action, Refusal }) => Refusal !== undefined && (hasForm || Action !== 'edit'))
  return (
    <>
      {offered(transitions, record)
        .filter((action) => !refused.some(({ Action }) => Action === action.id))
        .map((action) => (
          <Button key={action.id} look={lookOf(action.tone)} busy={actions.isBusy} onClick={() => actions.run(action, [record])}>
            {t(action.label)}
          </Button>
        ))}
      <Suspense>{refused.length > 0 && <OtherActions offered={refused} transitions={transitions} />}</Suspense>
      {actions.dialog}
    </>
  )
}

const none = { ok: true, value: { records: [] as readonly OfferedAction[] } } as const

function offered(transitions: readonly ClientTransition[], record: WireRecord): readonly ScreenAction[] {
  return transitions
    .filter((transition) => record.Actions?.includes(transition.action) === true)
    .map((transition) => ({
      id: transition.action,
      label: transition.label,
      tone: transition.tone,
      scope: 'rows',
      guard: transition.guard,
      does: { kind: 'transition', action: transition.action },
      params: transition.params,
      reason: transition.reason,
      ...(transition.reasonUsage === undefined ? {} : { reasonUsage: transition.reasonUsage }),
      confirm: transition.confirm,
    }))
}
