import { hash, randomBytes } from 'node:crypto'

const shownCharacters = 11

/** True for what looks like an API key of this server. */
export const isApiKey = (text: string): boolean => /^cw_[\w-]{43}$/.test(text)

/** The hash under which an API key is kept; the key is too random to be guessed by it. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'base64url')

/** Makes an API key of 256 random bits, the hash to keep it under, and what of it may be shown. */
export function makeApiKey() {
  const key = `cw_${randomBytes(32).toString('base64url')}`
  return { key, hash: hashApiKey(key), prefix: key.slice(0, shownCharacters) }
}
