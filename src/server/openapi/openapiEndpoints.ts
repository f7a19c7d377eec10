import type { FastifyInstance } from 'fastify'
import type { Api } from '#server/http/api.ts'
import type { Services } from '#server/services.ts'
import { openapi } from './openapi.ts'
import { pageHtml, pageScript, pageStyle } from './page.ts'

/** The description for machines at /api/v1/openapi.json and a page to read it at /api/docs. */
export function openapiEndpoints(app: FastifyInstance, api: Api, services: Services, version: string): void {
  let text: string | undefined
  app.get('/api/v1/openapi.json', { config: { isPublic: true } }, (_request, reply) => {
    text ??= JSON.stringify(openapi(services, api.endpoints, version))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get('/api/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(pageHtml))
  app.get('/api/docs/page.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(pageScript))
  app.get('/api/docs/page.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))
}
