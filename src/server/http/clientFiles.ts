import fs from 'node:fs'
import path from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { fail } from '#server/problemError.ts'

/** Serves the built client: hashed assets for ever, the page itself always fresh, and the page for every path that is no file and no call. */
export async function clientFiles(app: FastifyInstance, folder: string): Promise<void> {
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
    app.get('/', (_request, reply) => reply.sendFile('index.html'))
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = isBuilt && request.method === 'GET' && !/^\/(api|assets)\//.test(request.url) && !/\.\w{1,5}(\?|$)/.test(request.url)
    if (isPage) return reply.sendFile('index.html')
    return fail('NOT_FOUND.address')
  })
}
