import { readFileSync } from 'node:fs'
import type { RuleLine } from '#domain/ledger/entries.ts'

/** The posting rule of an event as the schema file states it. */
export function ruleOf(path: string, event: string): RuleLine[] {
  const file: { events: { event: string; lines: RuleLine[] }[] } = JSON.parse(readFileSync(new URL(`../../schemas/${path}.posting.json`, import.meta.url), 'utf8'))
  const found = file.events.find((entry) => entry.event === event)
  if (!found) throw new Error(`${path} posts no ${event}`)
  return found.lines
}
