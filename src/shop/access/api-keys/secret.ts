import { hashSecret, makeSecret } from '#src/secrets/secrets.ts'

const prefixLength = 11

/** True for a text of the form of an API key of this server. */
export const isApiKey = (text: string): boolean => /^cw_[\w-]{43}$/.test(text)

/** Creates an API key of 256 random bits, its hash to store, and the prefix that may be shown. */
export function makeApiKey() {
  const key = `cw_${makeSecret()}`
  return { key, hash: hashSecret(key), prefix: key.slice(0, prefixLength) }
}
