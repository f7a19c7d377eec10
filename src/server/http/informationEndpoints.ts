import type { ChangeLogEntry, LegalKind, LegalLanguage } from '#api/account.ts'
import { requireGuard } from '#server/access/guards.ts'
import { legalText } from '#server/access/terms.ts'
import type { Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { languageOf } from '#server/texts.ts'
import type { Api, Call } from './api.ts'
import { command } from './command.ts'
import { closedBodyOf } from './read.ts'

export interface Build {
  readonly version: string
  readonly commit: string
}

const kinds: Readonly<Record<string, LegalKind>> = { terms: 'TERMS', privacy: 'PRIVACY' }
const language = { language: 'en, cn or id' }

/** Pages anybody may read, signed in or not: terms, privacy, what has changed, what is running. */
export function informationEndpoints(api: Api, build: Build): void {
  const tag = 'Information'
  api.open('GET', '/api/v1/version', { summary: 'Version, commit and migration number of the server', tag }, async ({ services }) => {
    const row = await services.database.first<{ number: number }>(sql`select max(number) as number from schema_migration`)
    return { ...build, migration: row?.number ?? 0, database: services.database.engine }
  })
  api.open('GET', '/api/v1/legal/:kind', { summary: 'Terms of service (terms) or privacy policy (privacy) in force', tag, query: language }, async ({ services, params, query }) => {
    const text = await legalText(services.database, kindOf(params), languageOf(query['language']), services.clock.today())
    return text ?? fail('NOT_FOUND.address')
  })
  api.put('/api/v1/legal/:kind', { summary: 'Publish a new version; a new version of the terms asks everybody to agree again', tag, headers: ['Idempotency-Key'] }, publish)
  api.open('GET', '/api/v1/change-log', { summary: 'What has changed, newest first', tag, query: language }, async ({ services, query }) => {
    const wanted = languageOf(query['language'])
    const records = await services.database.rows<ChangeLogEntry & Row>(sql`
      select version, released_at, kind, title, body from change_log
      where language = ${wanted} or (language = 'en' and version not in (select version from change_log where language = ${wanted}))
      order by released_at desc, string_to_array(version, '.')::int[] desc, sort_order, id limit 500`)
    return { records }
  })
}

async function publish(call: Call): Promise<object> {
  requireGuard(call.user, 'legal-text-create')
  const kind = kindOf(call.params)
  const { version, effective_from: from, texts } = closedBodyOf(call, ['version', 'effective_from', 'texts'])
  if (typeof version !== 'string' || !/^\d{1,6}(\.\d{1,6}){0,3}$/.test(version)) return invalid([wrong('version', 'WRONG_TYPE.release')])
  if (typeof from !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(from) || Number.isNaN(Date.parse(from))) return invalid([wrong('effective_from', 'WRONG_TYPE.date')])
  const rows = textsOf(texts).map((text) => ({ kind, version, effective_from: from, ...text }))
  return command(call, async (run) => {
    if ((await run.tx.first(sql`select 1 as found from legal_text where kind = ${kind} and version = ${version}`)) !== undefined) fail('DUPLICATE_DOCUMENT.release', { version })
    await insertRows(run.tx, 'legal_text', rows)
    return { kind, version, effective_from: from }
  })
}

function textsOf(texts: unknown): readonly { readonly language: LegalLanguage; readonly title: string; readonly body: string }[] {
  const given: Readonly<Record<string, unknown>> = typeof texts === 'object' && texts !== null ? Object.fromEntries(Object.entries(texts)) : {}
  const found = (['en', 'cn', 'id'] as const).flatMap((language) => {
    const text: unknown = given[language]
    if (text === undefined) return []
    const { title, body }: { readonly title?: unknown; readonly body?: unknown } = typeof text === 'object' && text !== null ? text : {}
    if (typeof title !== 'string' || title === '' || title.length > 255 || typeof body !== 'string' || body === '' || body.length > 40_000 || body.includes('\u0000')) {
      return invalid([wrong(`texts.${language}`, 'WRONG_TYPE.text-parts')])
    }
    return [{ language, title, body }]
  })
  return found.some((text) => text.language === 'en') ? found : invalid([wrong('texts.en', 'REQUIRED.english')])
}

function kindOf(params: Readonly<Record<string, string>>): LegalKind {
  const name = params['kind'] ?? ''
  return (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? fail('NOT_FOUND.address')
}
