import { useState } from 'react'
import { t } from '../app/messages.ts'
import { say, type Message } from '../form/message.ts'
import { NumberEntry } from '../form/TextEntry.tsx'
import { describedBy, Field } from '../ui/Field.tsx'

interface Props {
  readonly id: string
  readonly value: string
  /** Somebody has tried to go on: say what is missing. */
  readonly isAsked: boolean
  /** Nothing where what stands there is no amount. */
  readonly onChange: (value: string) => void
}

/** Money somebody gets in his hand. */
export function CashAmount({ id, value, isAsked, onChange }: Props) {
  const [unread, setUnread] = useState<Message>()
  const problem = unread !== undefined ? say(unread, t) : isAsked && !isAmount(value) ? t('field.REQUIRED.amount') : undefined
  return (
    <Field id={id} label={t('field.amount')} errors={problem === undefined ? [] : [problem]}>
      <NumberEntry
        id={id}
        value={value}
        type="money"
        invalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : describedBy(id)}
        onChange={(amount) => onChange(amount ?? '')}
        onUnread={(message) => {
          setUnread(message)
          if (message !== undefined) onChange('')
        }}
      />
    </Field>
  )
}

export function isAmount(value: string): boolean {
  return Number(value) > 0
}
