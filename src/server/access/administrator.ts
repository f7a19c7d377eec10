import type { User } from '#server/context.ts'

/** Code of the role that comes with every permission. */
export const administratorRole = 'ADMIN'

/** Whoever may end what only its maker may end otherwise: an import, a request for approval. */
export function isAdministrator({ roleCode }: Pick<User, 'roleCode'>): boolean {
  return roleCode === administratorRole
}
