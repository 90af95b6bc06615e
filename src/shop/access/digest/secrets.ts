import { createHash } from 'node:crypto'
import { realm } from '#shop/access/authentication.ts'
import { createCipher } from '#src/secrets/encryption.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'

/** The hash of each algorithm in node:crypto; the preferred algorithm first (RFC 7616 3.7). */
const hashNames = { 'SHA-256': 'sha256', MD5: 'md5' } as const
/** An algorithm of Digest (RFC 7616 3.3). */
export type DigestAlgorithm = keyof typeof hashNames

/** The values of the setting DIGEST, each with the algorithms that it offers. */
const algorithmsBySetting = {
  on: ['SHA-256', 'MD5'],
  'sha-256': ['SHA-256'],
  off: [],
} as const satisfies Readonly<Record<string, readonly DigestAlgorithm[]>>
/** A value of the setting DIGEST. */
export type DigestSetting = keyof typeof algorithmsBySetting

/** H(A1) of a user by algorithm; a stored secret may have algorithms that are not offered. */
export type DigestSecret = Readonly<Partial<Record<DigestAlgorithm, string>>>

/** Returns the hash of a text in hexadecimal; each character stands for one byte. */
export const digestOf = (algorithm: DigestAlgorithm, text: string): string =>
  createHash(hashNames[algorithm]).update(text, 'latin1').digest('hex')

/** Creates and decrypts the secrets of HTTP Digest. */
export type DigestSecrets = ReturnType<typeof createDigestSecrets>

/**
 * Creates and decrypts the Digest secrets of users, H(A1) (RFC 7616 3.4.2). A secret is as good as
 * the password, so it is stored encrypted and bound to the username.
 */
export function createDigestSecrets(secretKeys: SecretKeys, setting: DigestSetting = 'on') {
  const algorithms: readonly DigestAlgorithm[] = algorithmsBySetting[setting]
  const cipher = createCipher(secretKeys, 'digest-secret')
  const decrypt = (ciphertext: string, username: string): DigestSecret | undefined => {
    const text = cipher.decrypt(ciphertext, username)
    return text === undefined ? undefined : (JSON.parse(text) as DigestSecret)
  }
  /** The algorithms of a secret under the first key of the server; undefined under another one. */
  const currentAlgorithms = (
    ciphertext: string,
    username: string,
  ): readonly string[] | undefined =>
    cipher.isCurrent(ciphertext, username)
      ? Object.keys(decrypt(ciphertext, username) ?? {})
      : undefined
  return {
    /** The offered algorithms; empty when Digest is off. */
    algorithms,
    /** The encrypted secret of a user with this name and password; null when Digest is off. */
    make: (username: string, password: string): string | null => {
      if (algorithms.length === 0) return null
      const text = Buffer.from(`${username}:${realm}:${password}`).toString('latin1')
      const hashes = algorithms.map((algorithm) => [algorithm, digestOf(algorithm, text)])
      return cipher.encrypt(JSON.stringify(Object.fromEntries(hashes)), username)
    },
    /** Decrypts a secret; undefined for another username or an unknown key. */
    decrypt,
    /** True for a secret under the first key with exactly the offered algorithms. */
    isCurrent: (ciphertext: string | null, username: string): boolean => {
      const stored = ciphertext === null ? [] : currentAlgorithms(ciphertext, username)
      return stored?.join() === algorithms.join()
    },
    /** Re-encrypts secrets without the algorithms that are no longer offered. */
    reencryption: {
      encrypt: cipher.encrypt,
      decrypt: (ciphertext: string, username: string): string | undefined => {
        const secret = decrypt(ciphertext, username)
        if (secret === undefined) return undefined
        const offered = algorithms.filter((algorithm) => algorithm in secret)
        return JSON.stringify(Object.fromEntries(offered.map((each) => [each, secret[each]])))
      },
      isCurrent: (ciphertext: string, username: string): boolean =>
        currentAlgorithms(ciphertext, username)?.every((stored) =>
          algorithms.some((offered) => offered === stored),
        ) === true,
    },
  }
}
