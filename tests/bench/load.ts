import net from 'node:net'
import type { Load } from './client.ts'

// A process of its own that does nothing but send: requests are bytes before the first leaves, answers are looked at no closer than needed.

process.once('message', (load: Load) => {
  run(load).then(
    (ms) => process.send?.({ ms }, () => process.exit(0)),
    (error: unknown) => process.send?.({ failure: String(error) }, () => process.exit(0)),
  )
})

async function run({ origins, token, atOnce, calls }: Load): Promise<number> {
  const servers = origins.map((origin) => new URL(origin))
  const requests = calls.map(({ path, body, headers }) => {
    const payload = JSON.stringify(body)
    const lines = { host: servers[0]?.host, authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), ...headers }
    return Buffer.from(`POST ${path} HTTP/1.1\r\n${Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${payload}`)
  })
  const connections = await Promise.all(Array.from({ length: atOnce }, (_, n) => connect(servers[n % servers.length])))
  let next = 0
  const started = performance.now()
  await Promise.all(connections.map(async (ask) => {
    for (let n = next++; n < requests.length; n = next++) {
      const answer = await ask(requests[n] ?? Buffer.alloc(0))
      const { expected } = calls[n] ?? {}
      if (!answer.startsWith('HTTP/1.1 20') || (expected !== undefined && !answer.includes(expected))) throw new Error(answer.slice(0, 2_000))
    }
  }))
  return performance.now() - started
}

/** A kept connection: one request at a time, answered with head and body as text. */
async function connect(server: URL | undefined): Promise<(request: Buffer) => Promise<string>> {
  const socket = net.connect(Number(server?.port), server?.hostname).setNoDelay()
  let received = ''
  let answered: (answer: string) => void = () => undefined
  let failed: (error: Error) => void = () => undefined
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    const head = received.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN)
    if (head < 0 || received.length < head + 4 + length) return
    const answer = received
    received = ''
    answered(answer)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.on('error', reject).on('error', (error) => failed(error))
    socket.on('close', () => failed(new Error('The server closed the connection.')))
  })
  return (request) => new Promise((resolve, reject) => {
    answered = resolve
    failed = reject
    socket.write(request)
  })
}
