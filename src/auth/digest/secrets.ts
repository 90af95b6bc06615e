import { createHash } from 'node:crypto'
import { realm } from '#auth/authentication.ts'
import { openSealer } from '#auth/encryption.ts'
import type { SecretKeys } from '#auth/keys.ts'

/** The algorithms of Digest: the better one first (RFC 7616 3.2). */
export const digestAlgorithms = { 'SHA-256': 'sha256', MD5: 'md5' } as const
/** One of them. */
export type DigestAlgorithm = keyof typeof digestAlgorithms

/** What the setting DIGEST may be, and the algorithms that are offered by it. */
export const algorithmsOf = {
  on: ['SHA-256', 'MD5'],
  'sha-256': ['SHA-256'],
  off: [],
} as const satisfies Readonly<Record<string, readonly DigestAlgorithm[]>>
/** A value of the setting DIGEST. */
export type DigestSetting = keyof typeof algorithmsOf

/** H(A1) of one user, by algorithm; what is kept may have other algorithms than are offered now. */
export type DigestSecret = Readonly<Partial<Record<DigestAlgorithm, string>>>

/** The hash of a text in hexadecimal digits; its characters are bytes, as header fields come. */
export const digestOf = (algorithm: DigestAlgorithm, text: string): string =>
  createHash(digestAlgorithms[algorithm]).update(text, 'latin1').digest('hex')

/**
 * Makes and opens what passwords are held to by Digest (RFC 7616 3.4.2): whoever has it can pass for
 * the user, so it is kept encrypted, and under another name than it was made for it opens no more.
 */
export function openDigestSecrets(secretKeys: SecretKeys, setting: DigestSetting = 'on') {
  const algorithms: readonly DigestAlgorithm[] = algorithmsOf[setting]
  const sealer = openSealer(secretKeys, 'digest-secret')
  const open = (sealed: string, username: string): DigestSecret | undefined => {
    const text = sealer.open(sealed, username)
    return text === undefined ? undefined : (JSON.parse(text) as DigestSecret)
  }
  const sealedFor = (sealed: string, username: string): readonly string[] | undefined =>
    sealer.isLasting(sealed, username) ? Object.keys(open(sealed, username) ?? {}) : undefined
  return {
    /** Those that are offered; none where Digest is off. */
    algorithms,
    /** What is kept for a user who has this name and password; null where Digest is off. */
    make: (username: string, password: string): string | null => {
      if (algorithms.length === 0) return null
      const text = Buffer.from(`${username}:${realm}:${password}`).toString('latin1')
      const secret = algorithms.map((each) => [each, digestOf(each, text)])
      return sealer.seal(JSON.stringify(Object.fromEntries(secret)), username)
    },
    /** The same again; undefined for another name, and where the server has none of its secrets. */
    open,
    /** True for all that a user of this name can use, under the newest secret alone, and no more. */
    isLasting: (sealed: string | null, username: string): boolean => {
      const kept = sealed === null ? [] : sealedFor(sealed, username)
      return kept?.join() === algorithms.join()
    },
    /** How what is kept is sealed anew, without the algorithms that are not offered. */
    reencryption: {
      seal: sealer.seal,
      open: (sealed: string, username: string): string | undefined => {
        const secret = open(sealed, username)
        if (secret === undefined) return undefined
        const kept = algorithms.filter((each) => each in secret)
        return JSON.stringify(Object.fromEntries(kept.map((each) => [each, secret[each]])))
      },
      isLasting: (sealed: string, username: string): boolean =>
        sealedFor(sealed, username)?.every((each) => algorithms.some((one) => one === each)) ===
        true,
    },
  }
}
