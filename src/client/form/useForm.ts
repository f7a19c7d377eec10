import { useAtomValue } from 'jotai'
import { use, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { importValidation } from '#generated/loaders.js'
import { accept } from '#base/result.ts'
import { loadChunk } from '../app/chunks.ts'
import { today } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { inWords, t } from '../app/messages.ts'
import { askCommand, createRecord, foreseenRecord, readRecord, saveRecord, transitionRecord } from '../data/records.ts'
import { beforeLeaving, isLeavingForGood } from '../data/leaving.ts'
import type { Answer } from '../data/http.ts'
import { hasGuard, sessionAtom } from '../data/session.ts'
import { draftKey } from './drafts.ts'
import { FormSession } from './formSession.ts'
import type { FormCalls } from './formState.ts'
import { optionsOf } from './lookupClient.ts'
import type { ReadAnswer } from '#api/data.ts'
import type { PriceOrderAnswer } from '#api/order.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import type { FormScreen } from '#meta/resolved.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

/** Stands over a form whose changes wait for approval. A record that has some is shown once this is there: coming later it would push the form from under the pointer. */
export const ProposedChanges = lazy(async () => ({ default: (await import('./ProposedChanges.tsx')).ProposedChanges }))
let isReady = false

async function withProposed(asked: Promise<Answer<ReadAnswer>>): Promise<Answer<ReadAnswer>> {
  const answer = await asked
  if (answer.ok && answer.value.record['Proposed'] != null) {
    await ProposedChanges.preload()
    isReady = true
  }
  return answer
}

const calls: FormCalls = {
  foreseen: (resource, id) => {
    const record = foreseenRecord(resource, id)?.record
    return record?.['Proposed'] == null || isReady ? record : undefined
  },
  read: (...asked) => withProposed(readRecord(...asked)),
  create: (...asked) => withProposed(createRecord(...asked)),
  save: (...asked) => withProposed(saveRecord(...asked)),
  transition: transitionRecord,
  compute: async (command, body, signal) => {
    const answer = await askCommand<PriceOrderAnswer>(command, body, signal)
    return answer.ok ? accept({ ...answer.value, errors: (answer.value.errors ?? []).map((error) => ({ ...error, text: inWords(error) })) }) : answer
  },
  options: (entity, ids, columns) => optionsOf({ entity, filter: undefined, columns }, ids),
}

const validations = new Map<string, Promise<FormValidation>>()

/** Schema and precompiled validators of a form; loaded once, with the form's code if asked early. */
export function loadValidation(screenId: string): Promise<FormValidation> {
  const known = validations.get(screenId)
  if (known !== undefined) return known
  const loading = loadChunk(() => importValidation(screenId))
  validations.set(screenId, loading)
  loading.then(
    // React reads from a promise that says so what it came to: a form whose validators are there is drawn at once.
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    () => validations.delete(screenId),
  )
  return loading
}

/** Development: validators that no generated file holds. */
export function provideValidation(screenId: string, validation: Promise<FormValidation>): void {
  validations.set(screenId, validation)
}

/** What became of a record: saved, asked for approval, or moved, and then where it stands now. */
export function savedText({ states }: ScreenModule, record: WireRecord, action: string | undefined): string {
  const { Code: code, Status: status, Proposed: proposed } = record
  const now = states.find(({ value }) => value === status)
  if (action !== undefined && now !== undefined) return t('ui.form.savedAnd', { code: typeof code === 'string' ? code : `#${record.ID}`, status: t(now.label) })
  return t(proposed == null ? 'ui.form.saved' : 'ui.form.savedProposed')
}

interface UseForm {
  readonly screen: FormScreen
  readonly recordId: number | undefined
  /** A record that was begun as a new one has been saved since. */
  readonly isSaved?: boolean
  readonly params: Readonly<Record<string, string>>
  readonly named?: string | undefined
  readonly onDone: (record: WireRecord, action: string | undefined, isLeft: boolean) => void
}

/** The session of one open form, kept for as long as screen and record stay the same. Suspends until the validators are loaded. */
export function useForm({ screen, recordId, isSaved = recordId !== undefined, params, named, onDone }: UseForm) {
  const validation = use(loadValidation(screen.id))
  const signedIn = useAtomValue(sessionAtom)
  const userId = signedIn?.user.user_id ?? 0
  const latest = useRef(onDone)
  useEffect(() => {
    latest.current = onDone
  })
  const session = useMemo(
    () =>
      new FormSession({
        screen,
        validation,
        calls,
        // A form may stand open past midnight.
        around: { user: { ...signedIn?.user }, params, get today() { return today() } },
        recordId,
        ...(recordId === undefined && Number(params['copy']) > 0 ? { copyOf: Number(params['copy']) } : {}),
        named,
        draftKey: (id) => draftKey(userId, screen.id, id, params),
        now: () => new Date().toISOString(),
        onDone: (...done) => latest.current(...done),
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- a form is opened once; a change of the address mounts another one
    [screen, recordId, validation],
  )
  const first = useRef(session)
  // While its inputs are still there: however the page is left, what is being typed in one is handed in first.
  useLayoutEffect(() => () => session.leave(), [session])
  useEffect(() => {
    const opened = session.open()
    // Development: the screen was exchanged under an open form. What was typed is in the draft its session kept, and goes on.
    if (import.meta.hot !== undefined && first.current !== session) void opened.then(() => session.restoreDraft())
    const forget = beforeLeaving(() => session.keepNow())
    return () => {
      forget()
      session.close()
    }
  }, [session])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session.state.isDirty && !isLeavingForGood()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    window.addEventListener('storage', session.draftsChanged)
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('storage', session.draftsChanged)
    }
  }, [session])
  // A form that opens for everybody who may see the record says nothing of who may change it.
  const opensForReaders = screen.guard === `${screen.resource}-view` && isSaved
  const canSave = (!opensForReaders && hasGuard(screen.guard)) || hasGuard(`${screen.resource}-${isSaved ? 'edit' : 'create'}`)
  return { session, validation, userId, canSave }
}
