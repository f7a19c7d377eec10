import type { FastifyInstance } from 'fastify'
import { randomToken } from '#server/random.ts'
import type { Answer } from './app.ts'

interface Uploaded {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly data: Answer['data']
}

/** Sends one file as a browser's form would. */
export async function upload(app: FastifyInstance, token: string, url: string, file: { readonly name: string; readonly type?: string; readonly bytes: Buffer | string }, headers: Readonly<Record<string, string>> = {}): Promise<Uploaded> {
  const boundary = `----arus${randomToken(8)}`
  const payload = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`),
    Buffer.from(file.bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers } })
  const { status, message, data } = answer.json()
  return { status: answer.statusCode, code: status, message, data }
}

export { pixel } from './pictures.ts'

export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
