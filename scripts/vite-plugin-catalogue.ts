import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import type { Plugin } from 'vite'
import { SampleServer } from '../tests/catalogue/answers.ts'
import { pages, readCatalogue } from '../tests/catalogue/catalogue.ts'
import { texts } from '../tests/catalogue/texts.ts'
import { formSchema, rowSchemas } from '../src/meta/formSchema.ts'
import { root } from './schemas/readSources.ts'
import { validatorModule } from './schemas/validators.ts'

const name = 'virtual:catalogue'
/** Calls of the catalogue's pages; the samples answer them, no server does. */
const calls = '/studio/catalogue/api/'

/** Development: screens, validators and texts of the catalogue (`/studio/catalogue`) and the answers its pages get. A build has none of it. */
export function catalogue(): Plugin {
  return {
    name: 'arus-catalogue',
    apply: (_, { command }) => command === 'serve' && process.env['VITEST'] === undefined,
    resolveId: (source) => (source.startsWith(name) ? `\0${source}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${name}`)) return undefined
      const { screens, forms, problems } = readCatalogue()
      for (const problem of problems) this.error(problem)
      const form = forms.find((one) => id === `\0${name}/${one.id}`)
      // A module without a file has no package to look `#base` up in.
      if (form !== undefined) return (await validatorModule(formSchema(form), rowSchemas(form))).replace('#base/', `${path.join(root, 'src/base')}/`)
      const validations = forms.map((one) => `${JSON.stringify(one.id)}: () => import(${JSON.stringify(`${name}/${one.id}`)})`)
      return `export const pages = ${JSON.stringify(pages)}
export const screens = ${JSON.stringify(screens)}
export const texts = ${JSON.stringify(texts)}
export const validations = {${validations.join(', ')}}`
    },
    configureServer(server) {
      let samples: SampleServer | undefined
      server.middlewares.use((request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost')
        if (!url.pathname.startsWith(calls)) return next()
        void bodyOf(request).then((body) => {
          samples ??= new SampleServer(readCatalogue().metadata)
          const data = samples.answer({ method: request.method ?? 'GET', path: url.pathname.slice(calls.length - '/api/'.length), query: url.searchParams, body })
          response.statusCode = data === undefined ? 404 : 200
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ code: response.statusCode, status: data === undefined ? 'NOT_FOUND' : 'success', message: '', data: data ?? {} }))
        }, next)
      })
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  // A file sent comes as a form.
  return text === '' || request.headers['content-type']?.startsWith('multipart/') === true ? undefined : JSON.parse(text)
}
