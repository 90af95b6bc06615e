import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const generatedBytes = 32
/** The smallest and the largest secret that is accepted, in bytes. */
const [minBytes, maxBytes] = [24, 64]

/** Creates a secret of 256 random bits, as text of Standard Webhooks: `whsec_` and base64. */
export const makeWebhookSecret = (): string =>
  prefix + randomBytes(generatedBytes).toString('base64')

/** True for `whsec_` and the canonical base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const bytes = bytesOf(text)
  const isCanonical = bytes.toString('base64') === text.slice(prefix.length)
  return isCanonical && bytes.length >= minBytes && bytes.length <= maxBytes
}

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')

/** What a signature covers besides the secret. */
interface SignedMessage {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the value of `webhook-signature`: one HMAC-SHA-256 for each secret, separated by spaces
 * (Standard Webhooks 1.0, "Signature scheme").
 */
export const signWebhook = (
  secrets: readonly string[],
  { id, timestamp, body }: SignedMessage,
): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.${body}`)
      return `v1,${hmac.digest('base64')}`
    })
    .join(' ')
