import { Suspense, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useHistory } from '../app/historyContext.ts'
import { goingOn, usePlaceKey } from '../app/goesOn.ts'
import { lazy } from '../app/lazy.tsx'
import { routes } from '#generated/routes.ts'
import { isAllowed } from '#api/menuAccess.ts'
import { recordOf } from '#meta/recordOf.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { matchRoute } from '../app/routeTable.ts'
import { hasGuard, sessionAtom, store } from '../data/session.ts'
import { FormView } from '../form/FormView.tsx'
import { isEditable } from '../form/formModel.ts'
import { loadValidation, savedText, useForm } from '../form/useForm.ts'
import { Button } from '../ui/Button.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { LeaveGuard } from '../form/LeaveGuard.tsx'
import { Skeleton } from '../ui/States.tsx'
import { listOf } from './RecordFailure.tsx'
import type { FormScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import type { WireRecord } from '#api/envelope.ts'

const ClosedForm = lazy(() => import('./ClosedForm.tsx').then((module) => ({ default: module.ClosedForm })))
const ActionsOfClosed = lazy(() => import('./ClosedForm.tsx').then((module) => ({ default: module.ActionsOfClosed })))
const Neighbours = lazy(() => import('./Neighbours.tsx').then((module) => ({ default: module.Neighbours })))
/** A form at one address for all its records says in the query which. */
const records = ['id', 'record', 'copy']

const NotesButton = lazy(() => import('../notes/NotesButton.tsx').then((module) => ({ default: module.NotesButton })))

/** A form as a page: `id` (or `record`) of the path or query edits that record, none, or an empty `record`, starts a new one. */
export function FormPage({ screen, module, params }: PageProps<FormScreen>) {
  void loadValidation(screen.id)
  const { record: _record, notes: _notes, ...rest } = params
  const recordId = recordOf(screen, params)
  const key = usePlaceKey(String(recordId ?? `new ${rest['id'] ?? ''} ${rest['copy'] ?? ''}`))
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <OpenForm key={key} screen={screen} module={module} recordId={recordId} params={rest} />
    </Suspense>
  )
}

interface OpenFormProps extends PageProps<FormScreen> {
  readonly recordId: number | undefined
}

function OpenForm({ screen, module, recordId, params }: OpenFormProps) {
  const navigate = useNavigate()
  const location = useLocation()
  const history = useHistory()
  const [opened] = useState(recordId)
  const { session, validation, userId, canSave } = useForm({
    screen,
    recordId: opened,
    isSaved: recordId !== undefined,
    params,
    onDone: (record, action, isLeft) => {
      void notify({ tone: 'success', text: savedText(module, record, action) })
      if (screen.after !== undefined && !isLeft) return void navigate(fill(screen.after, record))
      // What is typed stands under the record's own address: read again, it opens with the draft of the rest.
      const own = recordId === undefined ? addressOf(screen, location.pathname, record.ID) : undefined
      if (own !== undefined) void navigate(own, { replace: true, state: goingOn })
    },
  })
  const duplicate = duplicateOf(screen, recordId, navigate)
  const isClosed = useSyncExternalStore(session.subscribe, () => session.state.record !== undefined && !isEditable(session.state.record, screen))
  // What was typed into it and can no longer be saved is told in the form.
  const isLeft = useSyncExternalStore(session.subscribe, () => session.state.draft === undefined && session.state.refusal === undefined)
  const step = (id: number) => void navigate(placeOf(location, recordId ?? id, id))
  if (isClosed && isLeft && screen.closed !== undefined) {
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <ClosedForm screen={screen.closed} session={session} onStep={step} />
      </Suspense>
    )
  }
  return (
    <>
      <FormView
        session={session}
        module={module}
        validation={validation}
        userId={userId}
        inPanel={false}
        canSave={canSave}
        canDo={hasGuard}
        onCancel={() => void (history.hasPrevious ? navigate(-1) : navigate(listOf(location.pathname, screen.entity)?.path ?? '/home'))}
        aside={
          recordId === undefined ? undefined : (
            <>
              <Suspense>
                {isClosed && <ActionsOfClosed session={session} module={module} />}
                <Neighbours resource={screen.resource} id={recordId} round={0} onStep={step} />
              </Suspense>
              {screen.notes === undefined ? (
                duplicate.map(({ id, icon, label, onSelect }) => (
                  <Button key={id} look="plain" icon={icon} onClick={onSelect}>
                    {label}
                  </Button>
                ))
              ) : (
                <Suspense>
                  <NotesButton resource={screen.resource} id={recordId} title={t(screen.title)} entity={screen.entity} module={module} notes={screen.notes} others={duplicate} />
                </Suspense>
              )}
            </>
          )
        }
      />
      {/* The draft survives leaving, but a person who leaves by mistake should hear of it. Saving is no longer dirty when it navigates. */}
      <LeaveGuard isDirty={() => session.isAtStake} opens={records} text={t('ui.form.leaveText')} />
    </>
  )
}

/** The address of another record in the same form: its id stands at the end of the path or in the query. */
function placeOf({ pathname, search }: { readonly pathname: string; readonly search: string }, from: number, to: number): string {
  if (pathname.endsWith(`/${from}`)) return `${pathname.slice(0, -String(from).length)}${to}`
  const query = new URLSearchParams(search)
  query.set(query.has('record') ? 'record' : 'id', String(to))
  return `${pathname}?${query}`
}

/** Where the form of a record lies that was begun as a new one here; undefined: nowhere this user may go. */
function addressOf(screen: FormScreen, pathname: string, id: number): string | undefined {
  const here = pathname.split('/')
  const alike = (path: string) => path.split('/').findIndex((part, at) => part !== here[at])
  const own = routes
    .map(({ path }) => path.replace('{id}', String(id)))
    .filter((path) => {
      const match = matchRoute(path)
      return match?.route.screen === screen.id && recordOf(screen, match.params) === id && isAllowed(match.route, store.get(sessionAtom)?.menu ?? [])
    })
    .toSorted((a, b) => alike(b) - alike(a))
  return own[0] ?? (matchRoute(pathname)?.params['record'] === undefined ? `${pathname}?record=${id}` : undefined)
}

/** A new record that starts with what the form says is taken over from this one. */
function duplicateOf({ copy, guard, resource }: FormScreen, recordId: number | undefined, go: (path: string) => unknown): readonly MenuItem[] {
  if (copy === undefined || recordId === undefined || !(hasGuard(guard) || hasGuard(`${resource}-create`))) return []
  return [{ id: 'duplicate', icon: 'copy', label: t('ui.form.duplicate'), onSelect: () => void go(`${copy.path}?copy=${recordId}`) }]
}

/** `/sales-order-list/{ID}` with wire keys of the record filled in. */
function fill(template: string, record: WireRecord): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(record[key] ?? '')))
}
