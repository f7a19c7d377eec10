import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Options } from '#server/files/s3Store.ts'
import { atEnd } from './atEnd.ts'

export interface S3Server {
  readonly options: S3Options
  /** What the bucket holds, by path. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** `METHOD /path status` of every call. */
  readonly calls: readonly string[]
}

/** An object store as strict as the real ones: it works out the signature of version 4 anew from what came in, and the hash of the body. */
export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const calls: string[] = []
  const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'test-secret', region: 'ap-southeast-3' }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { pathname } = new URL(request.url ?? '/', 'http://s3')
      const problem = problemOf(request, body, keys)
      const answer = (status: number, content?: Buffer): void => {
        calls.push(`${request.method} ${pathname} ${status}`)
        response.writeHead(status, { 'content-length': content?.length ?? 0 }).end(content)
      }
      if (problem !== undefined) return answer(403, Buffer.from(problem))
      switch (request.method) {
        case 'PUT':
          objects.set(pathname, body)
          return answer(200)
        case 'GET':
          return objects.has(pathname) ? answer(200, objects.get(pathname)) : answer(404)
        case 'DELETE':
          objects.delete(pathname)
          return answer(204)
        default:
          return answer(405)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  return { options: { endpoint: `http://127.0.0.1:${port}`, bucket: 'arus-files', ...keys }, objects, calls }
}

function problemOf(request: http.IncomingMessage, body: Buffer, keys: Pick<S3Options, 'accessKeyId' | 'secretAccessKey' | 'region'>): string | undefined {
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? '')
  if (!match) return 'no signature'
  const [, credential = '', signed = '', signature = ''] = match
  const [accessKey, day = '', region = '', service = '', end] = credential.split('/')
  if (accessKey !== keys.accessKeyId || region !== keys.region || service !== 's3' || end !== 'aws4_request') return 'wrong credential'
  const date = String(request.headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!date.startsWith(day) || Math.abs(Date.now() - at) > 15 * 60_000) return 'wrong time'
  const declared = String(request.headers['x-amz-content-sha256'])
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(body)) return 'the body is not what was signed'
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256']) if (!signed.split(';').includes(name)) return `${name} is not signed`
  const url = new URL(request.url ?? '/', 'http://s3')
  const canonical = [
    request.method, url.pathname, [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).sort().join('&'),
    ...signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}`), '', signed, declared,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>((before, part) => hmac(before, part), Buffer.from(`AWS4${keys.secretAccessKey}`))
  return hmac(key, text).toString('hex') === signature ? undefined : 'the signature is wrong'
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
