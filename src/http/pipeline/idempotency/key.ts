import { hash } from 'node:crypto'
import { isFullSignIn } from '#http/declare/caller.ts'
import type { Authenticated } from '#http/pipeline/exchange.ts'
import { withoutKey } from '#http/pipeline/guards/api-key-location.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'

/** The header field, as Node names it. */
export const keyHeader = 'idempotency-key'

const bare = /^[\x20-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/**
 * Reads an Idempotency-Key, bare or as a string (RFC 9651 3.3.3), both being the same key; 400/4001
 * where it is neither or has not 1 to 255 characters.
 */
export function readKey(sent: string): string {
  const text = sent.startsWith('"')
    ? quoted.exec(sent)?.[1]?.replace(/\\(["\\])/g, '$1')
    : sent.trim()
  if (text !== undefined && bare.test(text)) return text
  const message = createMessage('field.idempotency_key')
  throw fieldProblem([{ field: 'Idempotency-Key', message, missing: true }])
}

const digest = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url')

/**
 * Names one use of a key: by its caller, by what the caller's credential allows, and by the path, so
 * that a credential is never shown the answer to another one that may do more.
 */
export function nameOf({ actor, request }: Authenticated, key: string): string {
  const [path = ''] = request.url.split('?', 1)
  const { userId, scopes, credential } = actor
  if (!credential) return digest([networkOf(request.ip), path, key])
  // Whatever proves the password is one caller: a retry may come with the next token.
  if (isFullSignIn(actor)) return digest([userId, path, key])
  const { scheme, id, clientId } = credential
  // Tokens follow one another; the client that they are issued to stays.
  const held = [scheme, clientId, scheme === 'bearer' ? null : id, [...scopes].sort()]
  return digest([userId, held, path, key])
}

/** What has to be the same in a request for it to be the same request. */
export function fingerprintOf({ request, version }: Authenticated): string {
  const { headers, method, bodyText } = request
  // Whoever comes back with another key sends the same request.
  const url = withoutKey(request.url)
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1)
  const fields = ['if-match', 'if-unmodified-since', 'if-none-match'] as const
  const conditions = fields.map((name) => headers[name] ?? null)
  return digest([method, url, version, mediaType.trim().toLowerCase(), conditions, bodyText])
}
