import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import { FileMissing, isStorageKey, type FileStore } from './fileStore.ts'

export interface S3Options {
  /** `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const timeoutMs = 60_000

/** Files in a bucket of any store that speaks S3, addressed by path; bytes are streamed and the store checks their SHA-256. */
export function s3Store(options: S3Options): FileStore {
  const urlOf = (key: string): string => {
    if (!isStorageKey(key)) throw new FileMissing(key)
    return `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}/${key}`
  }
  return {
    incoming: path.join(os.tmpdir(), `arus-incoming-${process.pid}`),
    async keep(key, file) {
      const headers = { 'content-length': String(file.size), 'content-type': 'application/octet-stream', 'x-amz-content-sha256': file.sha256 }
      const answer = await send(options, 'PUT', urlOf(key), headers, file.path)
      await discard(answer)
      if (answer.statusCode !== 200) throw new Error(`The object store refused a file: ${answer.statusCode}`)
      await fs.promises.rm(file.path, { force: true })
    },
    async read(key) {
      const answer = await send(options, 'GET', urlOf(key), {})
      if (answer.statusCode === 200) return answer
      await discard(answer)
      if (answer.statusCode === 404) throw new FileMissing(key)
      throw new Error(`The object store did not give a file: ${answer.statusCode}`)
    },
    async remove(key) {
      const answer = await send(options, 'DELETE', urlOf(key), {})
      await discard(answer)
      if (answer.statusCode !== 204 && answer.statusCode !== 200 && answer.statusCode !== 404) throw new Error(`The object store did not remove a file: ${answer.statusCode}`)
    },
  }
}

/** The store that the environment names, if it names one; some but not all of the variables is a mistake. */
export function s3OptionsOf(environment: Readonly<Record<string, string | undefined>>): S3Options | undefined {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = names.filter((name) => (environment[name] ?? '') === '')
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw new Error(`An object store needs ${missing.join(', ')} as well.`)
  const [endpoint = '', bucket = '', accessKeyId = '', secretAccessKey = ''] = names.map((name) => environment[name])
  if (!/^https?:\/\/[^/]+/.test(endpoint)) throw new Error('S3_ENDPOINT is an address such as https://s3.ap-southeast-3.amazonaws.com.')
  return { endpoint, bucket, region: environment['S3_REGION'] || 'us-east-1', accessKeyId, secretAccessKey }
}

async function send(options: S3Options, method: 'GET' | 'PUT' | 'DELETE', url: string, headers: Readonly<Record<string, string>>, file?: string): Promise<http.IncomingMessage> {
  const { region, accessKeyId, secretAccessKey } = options
  const signed = await new AwsV4Signer({ method, url, headers, service: 's3', region, accessKeyId, secretAccessKey }).sign()
  const request = (signed.url.protocol === 'https:' ? https : http).request(signed.url, { method, headers: Object.fromEntries(signed.headers), timeout: timeoutMs })
  const answering = new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.once('timeout', () => request.destroy(new Error('The object store does not answer.')))
  })
  // Whoever waits for the answer hears of a failure of the sending too.
  const sending = file === undefined ? Promise.resolve(void request.end()) : pipeline(fs.createReadStream(file), request)
  const [answer] = await Promise.all([answering, sending])
  return answer
}

async function discard(answer: http.IncomingMessage): Promise<void> {
  for await (const _ of answer) {
    // Read to the end, so that the connection can be used again.
  }
}
