import { createHash } from 'node:crypto'
import { realm } from './authentication.ts'
import type { SecretKeys } from './keys.ts'
import { openSealer } from './sealing.ts'

/** The algorithms of Digest: the better one first (RFC 7616 3.2). */
export const digestAlgorithms = { 'SHA-256': 'sha256', MD5: 'md5' } as const
/** One of them. */
export type DigestAlgorithm = keyof typeof digestAlgorithms

/** H(A1) of one user, by algorithm. */
export type DigestSecret = Readonly<Record<DigestAlgorithm, string>>

/** The hash of a text in hexadecimal digits; its characters are bytes, as header fields come. */
export const digestOf = (algorithm: DigestAlgorithm, text: string): string =>
  createHash(digestAlgorithms[algorithm]).update(text, 'latin1').digest('hex')

/**
 * Makes and opens what passwords are held to by Digest (RFC 7616 3.4.2): whoever has it can pass for
 * the user, so it is kept encrypted, and under another name than it was made for it opens no more.
 */
export function openDigestSecrets(secretKeys: SecretKeys) {
  const sealer = openSealer(secretKeys, 'digest-secret')
  const open = (sealed: string, username: string): DigestSecret | undefined => {
    const text = sealer.open(sealed, username)
    return text === undefined ? undefined : (JSON.parse(text) as DigestSecret)
  }
  return {
    /** What is kept for a user who has this name and password. */
    make: (username: string, password: string): string => {
      const text = Buffer.from(`${username}:${realm}:${password}`).toString('latin1')
      const secret: DigestSecret = {
        'SHA-256': digestOf('SHA-256', text),
        MD5: digestOf('MD5', text),
      }
      return sealer.seal(JSON.stringify(secret), username)
    },
    /** The same again; undefined for another name, and where the server has none of its secrets. */
    open,
    /** True for what a user of this name can use, and will be able to under the newest secret alone. */
    isLasting: (sealed: string | null, username: string): boolean =>
      sealed !== null && sealer.isLasting(sealed, username),
  }
}
