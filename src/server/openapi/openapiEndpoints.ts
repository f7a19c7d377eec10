import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Api } from '#server/http/api.ts'
import type { Services } from '#server/services.ts'
import { openApi } from './openapi.ts'

const page = {
  '/api/docs': ['page.html', 'text/html; charset=utf-8'],
  '/api/docs/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/api/docs/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const satisfies Readonly<Record<string, readonly [file: string, type: string]>>

/** The description for machines at /api/v1/openapi.json and a page to read it at /api/docs. Register it after every other call. */
export function openapiEndpoints(app: FastifyInstance, api: Api, services: Services, version: string): void {
  let text: string | undefined
  app.get('/api/v1/openapi.json', { config: { isPublic: true } }, (_request, reply) => {
    text ??= JSON.stringify(openApi(services.metadata, version, { endpoints: api.endpoints, hooks: services.hooks }))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  for (const [url, [file, type]] of Object.entries(page)) {
    app.get(url, (_request, reply) => reply.type(type).send(fs.readFileSync(path.join(import.meta.dirname, 'docs', file))))
  }
}
