import { Suspense, useRef, useState, type ReactNode } from 'react'
import { lazy } from '../app/lazy.tsx'
import { loadedScreen } from '../app/screens.ts'
import { useScreens } from '../app/useScreens.tsx'
import { notify } from '../app/toasts.ts'
import { t } from '../app/messages.ts'
import { hasGuard } from '../data/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { Skeleton } from '../ui/States.tsx'
import { FormView } from './FormView.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { savedText, useForm } from './useForm.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormScreen } from '#meta/resolved.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

const NotesButton = lazy(() => import('../notes/NotesButton.tsx').then((module) => ({ default: module.NotesButton })))

/** Beside a list the address says what is open. */
const edited = ['edit']

export interface FormPanelProps {
  readonly screenId: string
  /** Undefined: a new record. */
  readonly recordId: number | undefined
  /** Path parameters of the page the panel stands on; defaults of the form may use them. */
  readonly params: Readonly<Record<string, string>>
  /** Name a new record starts with. */
  readonly named?: string | undefined
  /** Opened by no address: Back closes it, and what it lies over stays. */
  readonly isOver?: boolean
  readonly onClose: () => void
  readonly onSaved: (record: WireRecord) => void
}

/** A form in a panel beside its list. Closing with something unsaved asks first. */
export function FormPanel(props: FormPanelProps) {
  return (
    <Suspense fallback={<Waiting onClose={props.onClose} />}>
      <LoadedPanel {...props} />
    </Suspense>
  )
}

function Waiting({ onClose, failure }: { readonly onClose: () => void; readonly failure?: ReactNode }) {
  return (
    <Drawer title={t(failure === undefined ? 'ui.loading' : 'ui.page-failed')} onClose={onClose}>
      {failure ?? <Skeleton lines={6} />}
    </Drawer>
  )
}

function LoadedPanel(props: FormPanelProps) {
  const { failure } = useScreens([props.screenId])
  const module = loadedScreen(props.screenId)
  if (module === undefined) return <Waiting onClose={props.onClose} failure={failure} />
  return isForm(module.screen) ? <OpenPanel {...props} module={module} screen={module.screen} /> : null
}

function OpenPanel({ module, screen, recordId, params, named, isOver = false, onClose, onSaved }: FormPanelProps & { readonly module: ScreenModule; readonly screen: FormScreen }) {
  const [asking, setAsking] = useState(false)
  /** Saved while more was being typed: it stays open, and what it was opened for hears of it once it closes. */
  const [saved, setSaved] = useState<WireRecord>()
  const { session, validation, userId, canSave } = useForm({
    screen,
    recordId,
    params,
    named,
    onDone: (record, action, isLeft) => {
      void notify({ tone: 'success', text: savedText(module, record, action) })
      if (isLeft) setSaved(record)
      else onSaved(record)
    },
  })
  const isLeaving = useRef(false)
  const leave = () => {
    isLeaving.current = true
    if (saved === undefined) onClose()
    else onSaved(saved)
  }
  // At the moment of closing: what was typed a moment ago is not drawn yet.
  const close = () => (session.isAtStake ? setAsking(true) : leave())
  return (
    <Drawer title={t(screen.title)} onClose={close}>
      <FormView
        session={session}
        module={module}
        validation={validation}
        userId={userId}
        inPanel
        canSave={canSave}
        canDo={hasGuard}
        onCancel={close}
        aside={
          recordId === undefined || screen.notes === undefined ? undefined : (
            <Suspense>
              <NotesButton resource={screen.resource} id={recordId} title={t(screen.title)} entity={screen.entity} module={module} notes={screen.notes} />
            </Suspense>
          )
        }
      />
      {/* Back closes it too. */}
      <LeaveGuard isDirty={() => !isLeaving.current && session.isAtStake} opens={edited} text={t('ui.form.leaveText')} takeOff={isOver ? leave : undefined} />
      {asking && (
        <ConfirmDialog
          title={t('ui.form.leaveTitle')}
          text={t('ui.form.leaveText')}
          confirm={t('ui.form.leave')}
          look="negative"
          onConfirm={leave}
          onClose={() => setAsking(false)}
        />
      )}
    </Drawer>
  )
}

function isForm(screen: ScreenModule['screen']): screen is FormScreen {
  return screen.kind === 'form'
}
