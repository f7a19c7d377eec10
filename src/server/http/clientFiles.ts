import fs from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Metadata } from '#meta/metadata.ts'
import { routeFinder } from '#meta/routePath.ts'
import { fail } from '#server/problemError.ts'
import { FirstAnswers, inTwoParts, languageOf } from './firstAnswers.ts'
import { acceptsBrotli, PackedFiles } from './packedFiles.ts'
import { pageFiles } from './pageFiles.ts'

/** A file whose name is that of its content. */
const forEver = 'public, max-age=31536000, immutable'

/** Names of files end there; no part of a page's address is as long. */
const longestName = 255

/**
 * The address as it is routed: what cannot be read, or has an empty part, is one where nothing is. Nobody is led on from one that climbs out of its folder,
 * writes its parts as Windows does or has a part no file could be named by: no page of ours has it.
 */
export function routedUrl(url: string): string {
  const [address = ''] = url.split('?')
  const text = decoded(address)
  if (text === undefined) return `${/^\/(api|assets)\//.exec(address)?.[0] ?? '/'}nothing`
  const isCall = address.startsWith('/api/')
  const isForeign = text.includes('\\') || text.split('/').some((part) => part === '.' || part === '..' || (!isCall && Buffer.byteLength(part) > longestName))
  return isForeign ? '/api/nothing' : url
}

function decoded(address: string): string | undefined {
  if (address.includes('//')) return undefined
  try {
    const text = decodeURIComponent(address)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * Serves the built client: hashed assets for ever, the page itself always fresh, and the page for every path of a served route, with what it will
 * ask first for somebody signed in. Whatever else is no file and no call leads to the not-found page, signed in or not.
 */
export async function clientFiles(app: FastifyInstance, folder: string, { routes, screens }: Pick<Metadata, 'routes' | 'screens'>, firstRowsMs?: number): Promise<void> {
  const isBuilt = fs.existsSync(path.join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(files, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: true,
      cacheControl: false,
      setHeaders: (reply, file) => {
        const isHashed = /[\\/]assets[\\/]/.test(file)
        void reply.header('cache-control', isHashed ? forEver : 'no-cache')
      },
    })
    const kept = new PackedFiles(folder)
    app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
      const packed = acceptsBrotli(request) && request.headers.range === undefined ? await kept.read(`assets/${request.params['*']}`) : undefined
      if (packed === undefined) return reply.sendFile(`assets/${request.params['*']}`)
      return reply.headers({ 'cache-control': forEver, 'content-encoding': 'br', vary: 'accept-encoding' }).type(packed.type).send(packed.content)
    })
    // Not returned: a reply that is returned is waited for with listeners of its own, beside those of the stream.
    app.get('/', (_request, reply) => {
      void reply.sendFile('index.html')
    })
  }
  const find = routeFinder(routes)
  const filesOf = pageFiles(folder, screens)
  const answers = new FirstAnswers(app, screens, firstRowsMs)
  app.setNotFoundHandler((request, reply) => {
    const [address = ''] = request.url.split('?')
    const isFile = /\.\w{1,5}$/.test(address) && !(request.headers.accept ?? '').includes('text/html')
    const isPage = isBuilt && request.method === 'GET' && !/^\/(api|assets)\//.test(address) && !isFile
    if (!isPage) return fail('NOT_FOUND.address')
    const found = find(address)
    if (found === undefined) return void reply.header('cache-control', 'no-cache').redirect('/pages/error-404')
    // Whoever is not signed in will see the sign-in page, which needs none of it.
    if (found.route.layout === 'plain' || !/(^|; )token=./.test(request.headers.cookie ?? '')) return void reply.sendFile('index.html')
    const language = languageOf(request)
    const files = filesOf(found.route, language)
    if (files.link !== '') void reply.header('link', files.link)
    const [before = '', after = ''] = fs.readFileSync(path.join(folder, 'index.html'), 'utf8').replace('</head>', `${files.styles}</head>`).split(/(?=<\/body>)/)
    const { body, encoding } = inTwoParts(request, before, answers.element(found, request, files.texts === undefined ? '' : `,"texts":{"language":"${language}","texts":${files.texts}}`).then(
      (element) => element + after,
      // The page asks by itself and says what is wrong.
      () => after,
    ))
    if (encoding !== undefined) void reply.header('content-encoding', encoding)
    // What it brings is for this session alone and for now.
    void reply.header('cache-control', 'no-store').header('vary', 'accept-encoding').type('text/html; charset=utf-8').send(body)
  })
}
