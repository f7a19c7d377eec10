/**
 * Comments on a record. Who may see the record may comment on it; the author changes or takes back a comment for 15 minutes.
 * GET    /api/v1/data/{resource}/{id}/comments                { records: Comment[] }
 * POST   /api/v1/data/{resource}/{id}/comments                CommentBody (Idempotency-Key) → { record: Comment }
 * PUT    /api/v1/data/{resource}/{id}/comments/{commentId}    CommentBody → { record: Comment }
 * DELETE /api/v1/data/{resource}/{id}/comments/{commentId}
 * GET    /api/v1/data/{resource}/{id}/people?search=          { records: Person[] }: who may be mentioned
 */
export interface Comment {
  readonly ID: number
  readonly Text: string
  readonly AuthorID: number
  readonly AuthorName: string
  readonly AuthorPictureKey: string | null
  readonly WrittenAt: string
  readonly EditedAt: string | null
  readonly Mentions: readonly Mention[]
  /** The author may change it until then; null: not this user's, or too late. */
  readonly ChangeUntil: string | null
}

/** Somebody named in a text as `@Name`. */
export interface Mention {
  readonly ID: number
  readonly Name: string
}

export interface CommentBody {
  readonly Text: string
  /** Ids of the people mentioned; each must stand in the text as `@Name`. */
  readonly Mentions?: readonly number[]
}

export interface Person {
  readonly ID: number
  readonly Name: string
  readonly RoleName: string
  readonly PictureKey: string | null
}

export const longestComment = 4000
export const commentChangeMinutes = 15

/** Those whose name stands in the text as `@Name`, in letters of whichever size: where one name begins another, the longer one is meant. */
export function namedIn<P extends Pick<Mention, 'Name'>>(text: string, people: readonly P[]): readonly P[] {
  const standing = new Set(text.normalize('NFC').match(namesPattern(people))?.map((name) => name.toLowerCase()))
  return people.filter(({ Name }) => standing.has(`@${Name}`.normalize('NFC').toLowerCase()))
}

/** Finds `@Name` of any of them as words of their own, the longest first. */
export function namesPattern(people: readonly Pick<Mention, 'Name'>[]): RegExp {
  const names = people.map(({ Name }) => `@${Name}`.normalize('NFC')).toSorted((a, b) => b.length - a.length)
  return new RegExp(`(?<![\\w.])(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') || '(?!)'})(?![\\p{Lu}\\p{Ll}\\d])`, 'giu')
}
