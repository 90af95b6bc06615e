import { createHash, type Hash } from 'node:crypto'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import { fieldProblem, type Problem } from '#values/problem.ts'

const algorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

/** A member of a structured dictionary whose value is a byte sequence (RFC 9651 sections 3.2, 3.3.5). */
const member = /^([a-z*][a-z0-9_\-.*]*)=:([A-Za-z0-9+/]*={0,2}):$/

/** A digest that a body must have, and the hash to feed with it. */
interface ExpectedDigest {
  readonly hash: Hash
  readonly value: Buffer
}

/**
 * Parses Content-Digest (RFC 9530 section 2); algorithms other than SHA-256 and SHA-512 are
 * ignored. Throws 400/4001 for another syntax.
 */
export function readContentDigest(field: string | undefined): readonly ExpectedDigest[] {
  if (field === undefined) return []
  return field.split(',').flatMap((part) => {
    const [, name = '', base64 = ''] = member.exec(part.trim()) ?? []
    if (name === '') throw digestProblem('field.content_digest')
    const algorithm = algorithms.get(name)
    if (algorithm === undefined) return []
    return [{ hash: createHash(algorithm), value: Buffer.from(base64, 'base64') }]
  })
}

/** The problem of a body that does not have the digest it was sent with (400/4001). */
export const digestMismatch = (): Problem => digestProblem('field.digest_mismatch')

const digestProblem = (key: MessageKey): Problem =>
  fieldProblem([{ field: 'Content-Digest', message: createMessage(key), missing: true }])
