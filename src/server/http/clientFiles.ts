import fs from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Route } from '#meta/resolved.ts'
import { routeFinder } from '#meta/routePath.ts'
import { fail } from '#server/problemError.ts'

/**
 * Serves the built client: hashed assets for ever, the page itself always fresh, and the page for every path of a served route. Whatever else is
 * no file and no call leads to the not-found page, signed in or not.
 */
export async function clientFiles(app: FastifyInstance, folder: string, routes: readonly Route[]): Promise<void> {
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
        void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    // Not returned: a reply that is returned is waited for with listeners of its own, beside those of the stream.
    app.get('/', (_request, reply) => {
      void reply.sendFile('index.html')
    })
  }
  const find = routeFinder(routes)
  const isKnown = (url: string): boolean => find(url.split('?')[0] ?? url) !== undefined
  app.setNotFoundHandler((request, reply) => {
    const isPage = isBuilt && request.method === 'GET' && !/^\/(api|assets)\//.test(request.url) && !/\.\w{1,5}(\?|$)/.test(request.url)
    if (!isPage) return fail('NOT_FOUND.address')
    void (isKnown(request.url) ? reply.sendFile('index.html') : reply.header('cache-control', 'no-cache').redirect('/pages/error-404'))
  })
}
