import { commentChangeMinutes, longestComment, namedIn, type Comment, type CommentBody, type Mention } from '#api/comments.ts'
import { isUnseen } from '#base/unseen.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { writeLog, type Change } from '#server/documents/audit.ts'
import { isId, isStorable } from '#server/documents/parseValue.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { peopleWhoSee } from './people.ts'

interface CommentRow extends Row {
  readonly id: number
  readonly text: string
  readonly author_id: number
  readonly author: string
  readonly picture_key: string | null
  readonly written_at: string
  readonly edited_at: string | null
  readonly mentions: readonly Mention[] | null
}

const mostComments = 500

/** Comments on a record, oldest first, as this user sees them. */
export async function commentsOf(queries: Queries, entity: ResolvedEntity, id: number, userId: number, now: Date): Promise<readonly Comment[]> {
  const rows = await queries.rows<CommentRow>(sql`${selected} where c.doc_type = ${entity.id} and c.doc_id = ${id} order by c.written_at desc, c.id desc limit ${mostComments}`)
  return rows.toReversed().map((row) => wire(row, userId, now))
}

/** Writes a comment; returns it with those mentioned. */
export async function addComment(services: Services, context: CommandContext, entity: ResolvedEntity, id: number, body: CommentBody): Promise<Comment> {
  const { tx, user, now } = context
  const mentions = await mentionsIn(services, tx, entity, id, body)
  const row = await tx.first<{ id: number }>(sql`
    insert into document_comment (doc_type, doc_id, author_id, text, mentions, written_at)
    values (${entity.id}, ${id}, ${user.id}, ${body.Text}, ${JSON.stringify(mentions)}::jsonb, ${now.toISOString()}) returning id`)
  await tell(context, entity, id, mentions)
  return one(tx, row?.id ?? 0, user.id, now)
}

/** Changes a comment of the user's own; what it said before stands in the history. */
export async function changeComment(services: Services, context: CommandContext, entity: ResolvedEntity, id: number, commentId: number, body: CommentBody): Promise<Comment> {
  const { tx, user, now } = context
  const before = await ownComment(context, entity, id, commentId)
  if (before.text === body.Text) return one(tx, commentId, user.id, now)
  const mentions = await mentionsIn(services, tx, entity, id, body)
  await tx.run(sql`update document_comment set text = ${body.Text}, mentions = ${JSON.stringify(mentions)}::jsonb, edited_at = ${now.toISOString()} where id = ${commentId}`)
  await log(context, entity, id, 'comment-edit', { field: 'comment', from: before.text, to: body.Text })
  const known = new Set((before.mentions ?? []).map((mention) => mention.ID))
  await tell(context, entity, id, mentions.filter((mention) => !known.has(mention.ID)))
  return one(tx, commentId, user.id, now)
}

/** Takes back a comment of the user's own; what it said stays in the history. */
export async function removeComment(context: CommandContext, entity: ResolvedEntity, id: number, commentId: number): Promise<void> {
  const before = await ownComment(context, entity, id, commentId)
  await context.tx.run(sql`delete from document_comment where id = ${commentId}`)
  await log(context, entity, id, 'comment-delete', { field: 'comment', from: before.text, to: null })
}

/** The body as sent, checked: text of a sensible length, ids of people. */
export function commentBody(body: Readonly<Record<string, unknown>>): CommentBody {
  const { Text: text, Mentions: mentions = [], ...rest } = body
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) invalid([wrong(unknown.slice(0, 80), 'UNKNOWN_FIELD')])
  if (typeof text !== 'string' || isUnseen(text)) return invalid([wrong('Text', 'REQUIRED.comment')])
  if (text.length > longestComment || !isStorable(text)) return invalid([wrong('Text', 'TOO_LONG', { limit: longestComment })])
  if (!Array.isArray(mentions) || mentions.length > 50 || !mentions.every(isId)) return invalid([wrong('Mentions', 'WRONG_TYPE.list', { limit: 50 })])
  return { Text: text.trim(), Mentions: [...new Set(mentions)] }
}

const selected = sql`
  select c.id, c.text, c.author_id, u.name as author, u.picture_key, c.written_at, c.edited_at, c.mentions
  from document_comment c join app_user u on u.id = c.author_id`

async function one(queries: Queries, id: number, userId: number, now: Date): Promise<Comment> {
  const row = await queries.first<CommentRow>(sql`${selected} where c.id = ${id}`)
  if (!row) throw new Error(`No comment ${id}`)
  return wire(row, userId, now)
}

/** Those named in the text; somebody who may not see the record cannot be called to it. */
async function mentionsIn(services: Services, tx: Queries, entity: ResolvedEntity, id: number, body: CommentBody): Promise<readonly Mention[]> {
  const ids = body.Mentions ?? []
  const people = ids.length === 0 ? [] : await peopleWhoSee(services, tx, entity, id, { ids })
  if (people.length < ids.length) invalid([wrong('Mentions', 'NOT_IN_SCOPE.mention')])
  const typed = await typedIn(services, tx, entity, id, body.Text)
  const chosen = new Set(people.map(({ Name }) => Name))
  return namedIn(body.Text, [...people, ...typed.filter(({ Name }) => !chosen.has(Name))]).map(({ ID, Name }) => ({ ID, Name }))
}

/** A whole name typed, not chosen, calls as well: of those who may see the record, unless several bear it. */
async function typedIn(services: Services, tx: Queries, entity: ResolvedEntity, id: number, text: string): Promise<readonly Mention[]> {
  if (!text.includes('@')) return []
  // A longer name is not taken for the shorter one it begins with, also where its bearer may not see the record.
  const rows = await tx.rows<{ id: number; name: string }>(sql`select id, name from app_user where is_active and position(lower('@' || name) in lower(${text})) > 0 limit 200`)
  const ids = namedIn(text, rows.map((row) => ({ ID: row.id, Name: row.name }))).map(({ ID }) => ID)
  const people = ids.length === 0 ? [] : await peopleWhoSee(services, tx, entity, id, { ids })
  return people.filter(({ Name }) => people.filter((other) => other.Name === Name).length === 1)
}

async function ownComment({ tx, user, now }: CommandContext, entity: ResolvedEntity, id: number, commentId: number): Promise<CommentRow> {
  const row = await tx.first<CommentRow>(sql`${selected} where c.id = ${commentId} and c.doc_type = ${entity.id} and c.doc_id = ${id} for update of c`)
  if (!row) return fail('NOT_FOUND.gone')
  if (row.author_id !== user.id) return fail('COMMENT_CLOSED.author')
  if (changeUntil(row) <= now) return fail('COMMENT_CLOSED.late', { minutes: commentChangeMinutes })
  return row
}

function changeUntil(row: CommentRow): Date {
  return new Date(Date.parse(row.written_at) + commentChangeMinutes * 60_000)
}

function wire(row: CommentRow, userId: number, now: Date): Comment {
  const until = changeUntil(row)
  return {
    ID: row.id,
    Text: row.text,
    AuthorID: row.author_id,
    AuthorName: row.author,
    AuthorPictureKey: row.picture_key,
    WrittenAt: row.written_at,
    EditedAt: row.edited_at,
    Mentions: row.mentions ?? [],
    ChangeUntil: row.author_id === userId && until > now ? until.toISOString() : null,
  }
}

/** Those mentioned hear of it, with the way to the comments. */
async function tell({ tx, user, now }: CommandContext, entity: ResolvedEntity, id: number, mentions: readonly Mention[]): Promise<void> {
  const others = mentions.filter((mention) => mention.ID !== user.id).map((mention) => mention.ID)
  if (others.length === 0) return
  const row = await tx.first<{ code: string | null }>(sql`select ${ident(entity.display[0])}::text as code from ${ident(entity.table)} where id = ${id}`)
  const page = entity.page?.replace('{ID}', String(id))
  await notify(tx, now, others, {
    kind: 'MENTION',
    title: 'notification.mentioned',
    params: { document: entity.id, code: row?.code ?? `DRAFT-${id}`, by: user.name },
    link: page === undefined ? undefined : `${page}${page.includes('?') ? '&' : '?'}notes=comments`,
  })
}

async function log({ tx, user, now }: CommandContext, entity: ResolvedEntity, id: number, action: string, change: Change): Promise<void> {
  await writeLog(tx, { docType: entity.id, docId: id, at: now.toISOString(), actorId: user.id, action, diff: [change] })
}
