import fs from 'node:fs'
import path from 'node:path'
import { livingClaims, makeClaim, type Claim } from './claim.ts'
import { lockFolder } from './workerMessages.ts'

/** A held lock; `release` removes it. Releasing twice is harmless. */
export interface DirectoryLock {
  release(): void
}

const heldHere = new Set<string>()
const waitMs = 20
const longestWaitMs = 30_000

/**
 * Takes the data directory for this process alone: two PGlite instances on one directory corrupt it silently. Numbers of processes say nothing between
 * containers that share a folder, so whoever wants it leaves a claim there that can be asked whether its maker lives: by a socket at once, by its
 * beat where computers share the folder. Rejects with a sentence naming the holder when the directory is in use; `lost` is called when, after a
 * standstill, somebody else has taken it.
 *
 * Never two hold it: each looks for others only after his own claim stands, so of any two at least one sees the other, and holds nothing while that one lives.
 */
export async function lockDirectory(directory: string, lost: () => void = () => undefined): Promise<DirectoryLock> {
  const folder = path.join(path.resolve(directory), lockFolder)
  fs.mkdirSync(folder, { recursive: true })
  const own = await makeClaim(folder, lost)
  try {
    await waitForTurn(folder, own.id, directory)
    own.hold()
  } catch (error) {
    own.withdraw()
    throw error
  }
  heldHere.add(own.id)
  return {
    release: () => {
      if (heldHere.delete(own.id)) own.withdraw()
    },
  }
}

async function waitForTurn(folder: string, own: string, directory: string): Promise<void> {
  const end = performance.now() + longestWaitMs
  for (;;) {
    const others = await livingClaims(folder, own)
    // Of those who come at once the first by name waits for the others to step back.
    const stronger = others.find(({ isHolding, id }) => isHolding || id < own) ?? (performance.now() > end ? others[0] : undefined)
    if (stronger !== undefined) throw new Error(inUse(directory, stronger))
    if (others.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

function inUse(directory: string, { id, pid, host }: Claim): string {
  if (heldHere.has(id)) return `The data folder ${directory} is already open in this process.`
  return `The data folder ${directory} is in use by process ${pid} on ${host}. Stop it first; two servers cannot share an embedded database.`
}
