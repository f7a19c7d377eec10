import type { Comment, CommentBody, Person } from '#api/comments.ts'
import type { RecordCounts } from '#api/files.ts'
import { newKey, send, type Answer } from './http.ts'

export function listComments(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly Comment[] }>> {
  return send({ path: path(resource, id), signal, isPart: true })
}

export function addComment(resource: string, id: number, body: CommentBody, key: string): Promise<Answer<{ readonly record: Comment }>> {
  return send({ method: 'POST', path: path(resource, id), body, key })
}

export function changeComment(resource: string, id: number, commentId: number, body: CommentBody): Promise<Answer<{ readonly record: Comment }>> {
  return send({ method: 'PUT', path: `${path(resource, id)}/${commentId}`, body, key: newKey() })
}

export function removeComment(resource: string, id: number, commentId: number): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `${path(resource, id)}/${commentId}`, key: newKey() })
}

/** Those who may see the record and so may be called to it. */
export function findPeople(resource: string, id: number, search: string, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly Person[] }>> {
  return send({ path: `/api/v1/data/${resource}/${id}/people`, query: { search }, signal, isPart: true })
}

/** How many comments and attachments a record has. */
export function countNotes(resource: string, id: number, signal?: AbortSignal): Promise<Answer<RecordCounts>> {
  return send({ path: `/api/v1/data/${resource}/${id}/counts`, signal, isPart: true })
}

function path(resource: string, id: number): string {
  return `/api/v1/data/${resource}/${id}/comments`
}
