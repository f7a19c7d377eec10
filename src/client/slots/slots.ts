import type { ComponentType } from 'react'
import type { SlotName } from '#generated/names.ts'
import { lazy } from '../app/lazy.tsx'
import type { FormSession } from '../form/formSession.ts'

/** What a hand-written part of a form gets. It registers with the session what it holds (`session.register`). */
export interface SlotProps {
  readonly session: FormSession
  readonly readOnly: boolean
}

const slots = {
  'payment-allocation': lazy(async () => ({ default: (await import('../wizards/payment/PaymentAllocation.tsx')).PaymentAllocation })),
  'scan-pages': lazy(async () => ({ default: (await import('./ScanPages.tsx')).ScanPages })),
  'user-password': lazy(async () => ({ default: (await import('./UserPassword.tsx')).UserPassword })),
  'visit-calendar': lazy(async () => ({ default: (await import('./VisitCalendar.tsx')).VisitCalendar })),
} satisfies Record<SlotName, ComponentType<SlotProps>>

/** The hand-written part of this name. */
export function slotComponent(name: string): ComponentType<SlotProps> | undefined {
  return isSlotName(name) ? slots[name] : undefined
}

function isSlotName(name: string): name is SlotName {
  return Object.hasOwn(slots, name)
}
