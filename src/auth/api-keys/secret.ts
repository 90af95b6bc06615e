import { hash, randomBytes } from 'node:crypto'

const prefixLength = 11

/** True for a text of the form of an API key of this server. */
export const isApiKey = (text: string): boolean => /^cw_[\w-]{43}$/.test(text)

/** The stored hash of an API key. No salt is needed: the key has 256 random bits. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'base64url')

/** Creates an API key of 256 random bits, its hash to store, and the prefix that may be shown. */
export function makeApiKey() {
  const key = `cw_${randomBytes(32).toString('base64url')}`
  return { key, hash: hashApiKey(key), prefix: key.slice(0, prefixLength) }
}
