import type { ImportBatch, ImportMending, ImportReading, ImportRowsAnswer, PaymentLogRow } from '#api/import.ts'
import { downloadFile, saveFile } from '../export/downloadFile.ts'
import { newKey, send, type Answer } from '../data/http.ts'

export type BatchAnswer = Answer<{ readonly record: ImportBatch }>

export function listBatches(screen: string, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly ImportBatch[] }>> {
  return send({ path: `/api/v1/import/${screen}`, signal })
}

export function uploadImport(screen: string, file: File, options: { readonly retryOf?: number | undefined; readonly onProgress: (share: number) => void; readonly signal: AbortSignal }): Promise<BatchAnswer> {
  const body = new FormData()
  body.set('file', file, file.name)
  return send({ method: 'POST', path: `/api/v1/import/${screen}`, query: { retry_of: options.retryOf }, body, onProgress: options.onProgress, signal: options.signal })
}

export function readBatch(id: number, signal?: AbortSignal): Promise<BatchAnswer> {
  return send({ path: `/api/v1/import-batch/${id}`, signal })
}

export function readRows(id: number, query: { readonly state: string | undefined; readonly page: number; readonly length: number }, signal?: AbortSignal): Promise<Answer<ImportRowsAnswer>> {
  return send({ path: `/api/v1/import-batch/${id}/rows`, query, signal })
}

export function readMoney(id: number, query: { readonly page: number; readonly length: number }, signal?: AbortSignal): Promise<Answer<{ readonly recordsTotal: number; readonly rows: readonly PaymentLogRow[] }>> {
  return send({ path: `/api/v1/import-batch/${id}/payments`, query, signal })
}

/** Where the log of a batch is. */
export function logPath(screen: { readonly log?: 'payments' }, id: number): string {
  return screen.log === 'payments' ? `/pages/import-log-payment/${id}` : `/pages/import-log/${id}`
}

export function putReading(id: number, reading: ImportReading): Promise<BatchAnswer> {
  return send({ method: 'PUT', path: `/api/v1/import-batch/${id}/reading`, body: reading })
}

export function mendRows(id: number, mending: ImportMending): Promise<BatchAnswer> {
  return send({ method: 'PUT', path: `/api/v1/import-batch/${id}/rows`, body: mending })
}

export function moveBatch(id: number, action: 'commit' | 'cancel' | 'undo', acknowledge: readonly string[] = []): Promise<BatchAnswer> {
  return send({ method: 'POST', path: `/api/v1/import-batch/${id}/${action}`, key: newKey(), acknowledge })
}

export async function saveTemplate(screen: string, sheet: string, format: 'xlsx' | 'csv', language: string): Promise<Answer<unknown>> {
  return save(`/api/v1/import/${screen}/template`, { sheet, format, language })
}

export async function saveFailed(id: number, format: 'xlsx' | 'csv', language: string): Promise<Answer<unknown>> {
  return save(`/api/v1/import-batch/${id}/failed`, { format, language })
}

async function save(path: string, query: Readonly<Record<string, string>>): Promise<Answer<unknown>> {
  const answer = await downloadFile({ path, query }, () => undefined)
  if (answer.ok) saveFile(answer.value)
  return answer
}
