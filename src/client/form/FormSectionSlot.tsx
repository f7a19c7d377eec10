import { Suspense } from 'react'
import { t } from '../app/messages.ts'
import { Skeleton } from '../ui/States.tsx'
import { slotComponent } from '../slots/slots.ts'
import css from './FormHost.module.css'
import { useFormShared } from './FormContext.ts'
import type { FormSection } from '#meta/resolved.ts'

/** A hand-written part of a form in the frame of a section. */
export function FormSectionSlot({ section, slot }: { readonly section: FormSection; readonly slot: string }) {
  const { session, readOnly } = useFormShared()
  const Part = slotComponent(slot)
  const heading = t(section.title)
  return (
    <section className={css['section']} aria-label={heading}>
      <h2 className={css['heading']}>{heading}</h2>
      <Suspense fallback={<Skeleton lines={4} />}>{Part !== undefined && <Part session={session} readOnly={readOnly} />}</Suspense>
    </section>
  )
}
