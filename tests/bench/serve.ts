import { serve } from './client.ts'
import { open, type Place } from './databases.ts'

// The server in a process of its own, for clients that need the processor themselves: `tsx serve.ts '<place as JSON>'`.
const place = JSON.parse(process.argv[2] ?? '{}') as Place
const bench = await open(place, async () => undefined)
const client = await serve(bench.database)
process.stdout.write(`${JSON.stringify({ origin: client.origin, token: client.token })}\n`)
process.on('SIGTERM', () => void client.close().then(() => bench.close()).then(() => process.exit(0)))
