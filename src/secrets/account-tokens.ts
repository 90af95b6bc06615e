import { createHmac } from 'node:crypto'
import { deriveKeys, type SecretKeys } from './keys.ts'
import { hashSecret, makeSecret } from './secrets.ts'

/** What is stored of a token: not the token itself. */
export interface StoredToken {
  readonly salt: string
  readonly hash: string
}

/** Creates the tokens in mails. */
export type AccountTokens = ReturnType<typeof createAccountTokens>

/**
 * Creates the tokens in mails. A token follows from a random salt and the secret key, so that every
 * attempt to send a mail holds the same one although only its hash is stored.
 */
export function createAccountTokens(secretKeys: SecretKeys) {
  const keys = deriveKeys(secretKeys, 'account-token')
  const tokenBy = (key: Buffer, salt: string): string =>
    createHmac('sha256', key).update(salt).digest('base64url')
  return {
    create: (): StoredToken => {
      const salt = makeSecret()
      return { salt, hash: hashSecret(tokenBy(keys[0], salt)) }
    },
    /** Returns the token; undefined when it was made with a secret key that is unknown now. */
    tokenOf: ({ salt, hash: stored }: StoredToken): string | undefined =>
      keys.map((key) => tokenBy(key, salt)).find((token) => hashSecret(token) === stored),
    /** Returns what is stored instead of a token. */
    hash: hashSecret,
  }
}
