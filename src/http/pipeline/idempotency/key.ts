import { hash } from 'node:crypto'
import { withoutApiKey } from '#http/exchange/api-key-location.ts'
import type { AuthenticatedExchange, IdempotencyKey } from '#http/exchange/exchange.ts'
import { networkOf } from '#http/message/client-network.ts'
import { countHeader } from '#http/message/request-validity.ts'
import { pathOf } from '#http/message/url-path.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'

/** The header field, as Node names it. */
export const keyHeader = 'idempotency-key'

const bare = /^[\x20-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * Parses an Idempotency-Key of 1–255 characters, bare or as a quoted string (RFC 9651 3.3.3); both
 * are the same key. Throws 400/4001 for any other value.
 */
function readKey(sent: string): string {
  const text = sent.startsWith('"')
    ? quoted.exec(sent)?.[1]?.replace(/\\(["\\])/g, '$1')
    : sent.trim()
  if (text !== undefined && bare.test(text)) return text
  const message = createMessage('field.idempotency_key')
  throw fieldProblem([{ field: 'Idempotency-Key', message, missing: true }])
}

const digest = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url')

/** The key of a request that sends one. Throws 400/4001 for a malformed key, and for two of them. */
export function idempotencyKeyOf(exchange: AuthenticatedExchange, sent: string): IdempotencyKey {
  // Node joins repeated fields, which would be a key of its own.
  const isRepeated = countHeader(exchange.request.raw.rawHeaders, keyHeader) > 1
  return {
    name: nameOf(exchange, readKey(isRepeated ? '' : sent)),
    fingerprint: fingerprintOf(exchange),
  }
}

/**
 * Names a key by the caller, the permissions of the credential and the path, so that a credential
 * never gets the response to one with more permissions.
 */
function nameOf({ actor, request }: AuthenticatedExchange, key: string): string {
  const path = pathOf(request.url)
  const { userId, scopes, credential } = actor
  if (!credential) return digest([networkOf(request.ip), path, key])
  // All credentials that prove the password share a name: a retry may use the next token.
  if (actor.isFullSignIn) return digest([userId, path, key])
  const { scheme, id, clientId } = credential
  // Tokens are replaced, their client stays.
  const permissions = [scheme, clientId, scheme === 'bearer' ? null : id, [...scopes].sort()]
  return digest([userId, permissions, path, key])
}

/** A digest of what must be equal in a repeated request. */
function fingerprintOf({ request, version }: AuthenticatedExchange): string {
  const { headers, method, bodyText } = request
  // A retry may use another API key.
  const url = withoutApiKey(request.url)
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1)
  const fields = ['if-match', 'if-unmodified-since', 'if-none-match'] as const
  const conditions = fields.map((name) => headers[name] ?? null)
  return digest([method, url, version, mediaType.trim().toLowerCase(), conditions, bodyText])
}
