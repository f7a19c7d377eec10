import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import type { OfferedAction } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import type { ClientTransition } from '#meta/screenModule.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { readActions } from '../data/aboutRecord.ts'
import { around, holdsFor } from '../data/around.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { offers } from '../table/runAction.ts'
import { useActions } from '../table/useActions.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import button from '../ui/Button.module.css'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import css from './DocumentActions.module.css'
import { lookOf } from './lookOf.ts'
import { refusalOf } from './refusalOf.ts'

const OtherActions = lazy(() => import('./OtherActions.tsx').then((module) => ({ default: module.OtherActions })))
const SidePanel = lazy(() => import('./SidePanel.tsx').then((module) => ({ default: module.SidePanel })))

/** More of what is not a step of the workflow than these stand under one button. */
const mostButtons = 2

interface DocumentActionsProps {
  readonly resource: string
  readonly entity: string
  readonly transitions: readonly ClientTransition[]
  /** What its lists offer beside the steps of the workflow. */
  readonly others?: readonly ScreenAction[]
  readonly record: WireRecord
  /** There is a screen to change the document in, and it is not this one: why it cannot be changed is told as well. */
  readonly hasForm: boolean
  /** Nothing beside it tells which step waits for approval. */
  readonly saysPending?: boolean
  /** After something has been carried out. */
  readonly onDone: () => void
}

/** What may be done with a document now, and what not, with the reason. */
export function DocumentActions({ resource, entity, transitions, others = [], record, hasForm, saysPending, onDone }: DocumentActionsProps) {
  const guards = useAtomValue(sessionAtom)?.guards
  const [round, setRound] = useState(0)
  const [panel, setPanel] = useState<string>()
  const done = () => {
    setRound((before) => before + 1)
    onDone()
  }
  const actions = useActions({ resource, onDone: done, onPanel: setPanel })
  const permitted = others.filter((action) => guards?.has(action.guard) === true && offers(action, record))
  const beside = permitted.filter(({ when }) => holdsFor(when, record, around()))
  const hasWorkflow = transitions.length > 0
  const asked = useAnswer(`actions ${resource} ${record.ID} ${round} ${hasWorkflow}`, (signal) => (hasWorkflow ? readActions(resource, record.ID, signal) : Promise.resolve(none)))
  const refused = [...(asked.value?.records ?? []).filter(({ Action, Refusal }) => Refusal !== undefined && (hasForm || Action !== 'edit')), ...permitted.flatMap((action) => refusalOf(action, entity, record))]
  return (
    <>
      {saysPending && <PendingBadge record={record} />}
      {offered(transitions, record)
        .filter((action) => !refused.some(({ Action }) => Action === action.id))
        .map((action) => (
          <Button key={action.id} look={lookOf(action.tone)} busy={actions.isBusy} onClick={() => actions.run(action, [record])}>
            {t(action.label)}
          </Button>
        ))}
      {beside.length <= mostButtons ? (
        beside.map((action) => (
          <Button key={action.id} look={lookOf(action.tone)} busy={actions.isBusy} onClick={() => actions.run(action, [record])}>
            {t(action.label)}
          </Button>
        ))
      ) : (
        <Menu
          trigger={
            <>
              <Icon name="more" size={16} /> <span>{t('ui.actions.more')}</span>
            </>
          }
          triggerClass={classes(button['button'], button['plain'])}
          label={t('ui.actions.more')}
          items={beside.map((action) => ({ id: action.id, label: t(action.label), tone: action.tone === 'negative' ? 'negative' : undefined, disabled: actions.isBusy, onSelect: () => actions.run(action, [record]) }))}
        />
      )}
      <Suspense>{refused.length > 0 && <OtherActions offered={refused} transitions={transitions} />}</Suspense>
      {actions.dialog}
      {actions.notice !== false && <div className={css['told']}>{actions.notice}</div>}
      <Suspense>{panel !== undefined && <SidePanel screenId={panel} listEntity={entity} row={record} params={{}} onClose={() => setPanel(undefined)} onSaved={done} />}</Suspense>
    </>
  )
}

/** The step of the workflow that waits for approval, while the document stays as it is. */
export function PendingBadge({ record }: { readonly record: WireRecord }) {
  const pending = record['PendingTransition']
  return typeof pending === 'string' ? <Badge tone="warning">{t('ui.pending', { action: t(`action.${pending.toLowerCase()}`) })}</Badge> : null
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
