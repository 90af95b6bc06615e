import type { FastifyRequest } from 'fastify'
import { pathOf } from '#http/message/url-path.ts'
import { requireNoIssues } from '#http/response/pagination/list-pages.ts'
import { createMessage } from '#i18n/message.ts'

/**
 * Throws 400/4003 that lists the parameters of a query, in the address or in the body of QUERY, whose
 * percent-encoded bytes are not UTF-8. A `%` that begins no byte stands for itself.
 */
export function requireUtf8Query(request: FastifyRequest): void {
  const query = queryTextOf(request)
  if (!query.includes('%')) return
  const message = createMessage('query.not_utf8')
  const fields = query.split('&').filter((field) => !isUtf8(field))
  requireNoIssues(fields.map((field) => ({ field: field.split('=', 1)[0] ?? '', message })))
}

function queryTextOf({ method, body, originalUrl }: FastifyRequest): string {
  if (method === 'QUERY') return typeof body === 'string' ? body : ''
  return originalUrl.slice(pathOf(originalUrl).length + 1)
}

const encodedBytes = /(?:%[\da-f]{2})+/gi

function isUtf8(field: string): boolean {
  try {
    for (const [bytes] of field.matchAll(encodedBytes)) decodeURIComponent(bytes)
    return true
  } catch {
    return false
  }
}
