import type { FastifyRequest } from 'fastify'
import { isStorable } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'

/** Fields of a call sent as form data (multipart or urlencoded) or JSON; refuses when one of `required` is empty. */
export async function formOf(request: FastifyRequest, body: unknown, required: readonly string[]): Promise<(name: string) => string> {
  const values = new Map<string, string>()
  if (request.isMultipart()) {
    for await (const part of request.parts({ limits: { fields: 10, files: 0, fieldSize: 4_096 } })) {
      if (part.type === 'field' && typeof part.value === 'string') values.set(part.fieldname, part.value)
    }
  } else if (typeof body === 'object' && body !== null) {
    for (const [key, value] of Object.entries(body)) if (typeof value === 'string') values.set(key, value)
  }
  const errors = required.filter((name) => (values.get(name) ?? '') === '').map((field) => wrong(field, 'REQUIRED'))
  if (errors.length > 0) invalid(errors)
  for (const value of values.values()) if (value.length > 4_000 || !isStorable(value)) invalid([wrong(required[0] ?? '', 'TOO_LONG', { limit: 4_000 })])
  return (name) => values.get(name) ?? ''
}

/** Where a session is opened from. */
export function visitorOf(request: FastifyRequest, userAgent = ''): { readonly userAgent: string; readonly ip: string } {
  return { userAgent: userAgent || (request.headers['user-agent'] ?? ''), ip: request.ip.replace(/^::ffff:/, '') }
}
