import { useSyncExternalStore } from 'react'
import { t } from '../app/messages.ts'
import { AttachmentsTab } from '../notes/AttachmentsTab.tsx'
import type { FormSession } from './formSession.ts'

/** Files of the record in a form. They are kept at once, apart from what is typed; a record that is not saved yet has none. */
export function FilesPart({ session }: { readonly session: FormSession }) {
  const record = useSyncExternalStore(session.subscribe, () => session.state.record)
  if (record === undefined) return <p>{t('ui.form.filesLater')}</p>
  return <AttachmentsTab resource={session.screen.resource} id={record.ID} />
}
