import fs from 'node:fs'
import { requireScreen } from '#server/access/guards.ts'
import { fileReaders } from '#server/documents/fileReaders.ts'
import { receiveFile } from '#server/files/receive.ts'
import { fail } from '#server/problemError.ts'
import type { Api } from './api.ts'

/** Files read into forms. */
export function formFileEndpoints(api: Api): void {
  api.post('/api/v1/form/:screen/file', { summary: 'What the file of a multipart form holds, as the form would have it entered; nothing is saved', tag: 'Files', query: { answer: 'What was chosen of what the file leaves open' } }, async (call) => {
    const { services, user } = call
    const id = call.params['screen'] ?? ''
    const screen = Object.hasOwn(services.metadata.screens, id) ? services.metadata.screens[id] : undefined
    if (screen?.kind !== 'form' || screen.lines?.file === undefined) return fail('NOT_FOUND.form-file')
    requireScreen(services.metadata, user, screen)
    const { read, most } = fileReaders[screen.lines.file]
    const file = await receiveFile(call.request, services.files, { most, isAny: true })
    try {
      return await read(services, user, file, call.query['answer'])
    } finally {
      await fs.promises.rm(file.path, { force: true })
    }
  })
}
