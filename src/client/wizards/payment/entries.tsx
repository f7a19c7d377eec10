import { createContext, useCallback, useContext, useEffect, useEffectEvent, type ComponentProps } from 'react'
import { money, type Decimal } from '#base/decimal.ts'
import { isBetween } from '#base/numberRules.ts'
import { formatMoney } from '../../app/format.ts'
import { DateInput } from '../../form/DateInput.tsx'
import type { HandIn, HoldBack } from '../../form/heldBack.ts'
import type { Message } from '../../form/message.ts'
import { NumberEntry, TextEntry } from '../../form/TextEntry.tsx'
import { tooLong } from '../../ui/tooLong.ts'

/** What the boxes of a receipt's lines share: who saves has them handed in, and what of them could not be read stands in the way. */
export interface Entries {
  readonly holdBack: (id: string, handIn: HandIn) => () => void
  /** By the id of the box: what is wrong with what was typed into it. */
  readonly unread: Readonly<Record<string, Message>>
  /** `label`: what the box is called. Undefined: it can be read. */
  readonly onUnread: (id: string, label: string, message: Message | undefined) => void
}

export const EntriesContext = createContext<Entries>({ holdBack: () => () => undefined, unread: {}, onUnread: () => undefined })

function useEntry(id: string, label: string): { readonly isUnread: boolean; readonly holdBack: HoldBack; readonly onUnread: (message: Message | undefined) => void } {
  const { holdBack, unread, onUnread } = useContext(EntriesContext)
  // Nothing stands any more in a box that is gone.
  useEffect(() => () => onUnread(id, '', undefined), [id, onUnread])
  return {
    isUnread: unread[id] !== undefined,
    holdBack: useCallback((handIn: HandIn) => holdBack(id, handIn), [holdBack, id]),
    onUnread: (message) => onUnread(id, label, message),
  }
}

interface HeldNumberProps extends Omit<ComponentProps<typeof NumberEntry>, 'holdBack' | 'onUnread' | 'check' | 'ranged' | 'onChange'> {
  readonly id: string
  readonly ariaLabel: string
  /** More than this, or less than nothing, is not taken: it stays in the box as it was typed, and is told. */
  readonly max: Decimal
  /** Nothing typed is 0. */
  readonly onChange: (value: Decimal) => void
}

export function HeldNumber({ max, onChange, ...props }: HeldNumberProps) {
  const { isUnread, holdBack, onUnread } = useEntry(props.id, props.ariaLabel)
  const check = (value: string): Message | undefined => (isBetween(value, '0', max) ? undefined : { key: 'ui.check.between', params: { min: formatMoney('0'), max: formatMoney(max) } })
  return <NumberEntry {...props} ranged invalid={props.invalid === true || isUnread} holdBack={holdBack} check={check} onUnread={onUnread} onChange={(value) => onChange(money(value ?? '0'))} />
}

interface HeldTextProps extends Omit<ComponentProps<typeof TextEntry>, 'holdBack'> {
  readonly id: string
  readonly ariaLabel: string
  /** More than so many characters stay in the box, and are told. */
  readonly longest: number
}

export function HeldText({ longest, onChange, ...props }: HeldTextProps) {
  const { isUnread, holdBack, onUnread } = useEntry(props.id, props.ariaLabel)
  const check = (text: string) => {
    const long = tooLong(text, longest)
    onUnread(long === undefined ? undefined : { text: long })
  }
  // Of a draft, too.
  const checkNow = useEffectEvent(check)
  useEffect(() => checkNow(props.value), [props.value])
  return (
    <TextEntry
      {...props}
      invalid={props.invalid === true || isUnread}
      holdBack={holdBack}
      onChange={(text) => {
        check(text)
        onChange(text)
      }}
    />
  )
}

export function HeldDate(props: Omit<ComponentProps<typeof DateInput>, 'holdBack' | 'onUnread'> & { readonly id: string; readonly label: string }) {
  const { isUnread, holdBack, onUnread } = useEntry(props.id, props.label)
  return <DateInput {...props} invalid={props.invalid === true || isUnread} holdBack={holdBack} onUnread={onUnread} />
}
