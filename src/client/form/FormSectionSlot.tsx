import { Suspense } from 'react'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/States.tsx'
import { slotComponent } from '../slots/slots.ts'
import css from './FormHost.module.css'
import { useFormShared } from './FormContext.ts'
import type { FormSection } from '#meta/resolved.ts'

const TicksPart = lazy(async () => ({ default: (await import('./widgets/TicksPart.tsx')).TicksPart }))

const FilesPart = lazy(async () => ({ default: (await import('./FilesPart.tsx')).FilesPart }))

/** Ticks, files or a hand-written part of a form in the frame of a section. */
export function FormSectionSlot({ section, hidden }: { readonly section: FormSection; readonly hidden: boolean }) {
  const { session, readOnly } = useFormShared()
  const { slot, ticks, files } = section
  const Part = slot === undefined ? undefined : slotComponent(slot)
  const heading = t(section.title)
  return (
    <section className={classes(css['section'], section.beside && css['beside'])} aria-label={heading} hidden={hidden}>
      <h2 className={css['heading']}>{heading}</h2>
      <Suspense fallback={<Skeleton lines={4} />}>
        {ticks !== undefined && <TicksPart session={session} name={section.id} ticks={ticks} readOnly={readOnly} />}
        {files === true && <FilesPart session={session} />}
        {Part !== undefined && <Part session={session} readOnly={readOnly} />}
      </Suspense>
    </section>
  )
}
