import type { LegalKind, LegalLanguage, LegalText } from '#api/account.ts'
import type { DateText } from '#base/date.ts'
import type { Queries } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'

/** Version of the terms in force on a day: the latest that has taken effect. */
export function termsVersion(today: DateText): Sql {
  return sql`(select version from legal_text where kind = 'TERMS' and effective_from <= ${today}::date order by effective_from desc, id desc limit 1)`
}

/** The text in force, in the language asked for or else in English; undefined when there is none. */
export async function legalText(queries: Queries, kind: LegalKind, language: LegalLanguage, today: DateText): Promise<LegalText | undefined> {
  return queries.first<LegalText & Record<string, unknown>>(sql`
    select kind, version, language, title, body, effective_from from legal_text
    where kind = ${kind} and version = (select version from legal_text where kind = ${kind} and effective_from <= ${today}::date order by effective_from desc, id desc limit 1)
    order by language = ${language} desc, language = 'en' desc limit 1`)
}

/** The user agrees to a version of the terms; the popup does not come again until there is another. */
export async function agreeToTerms(tx: Queries, userId: number, version: string, now: Date): Promise<void> {
  await tx.run(sql`insert into tos_agreement (user_id, version, at) values (${userId}, ${version}, ${now.toISOString()}) on conflict (user_id, version) do nothing`)
  await tx.run(sql`update app_user set is_show_tos = false, tos_agreed_at = ${now.toISOString()} where id = ${userId}`)
}
