import { createCipher } from './encryption.ts'
import type { SecretKeys } from './keys.ts'

/** Returns the name to which the secrets of a webhook are bound. */
export const webhookAssociatedData = (webhookId: number): string => `webhook ${webhookId}`

/** Encrypts and decrypts the secrets of webhooks. */
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** Encrypts and decrypts the secrets of webhooks, each bound to the ID of its webhook. */
export function createWebhookSecrets(secretKeys: SecretKeys) {
  const { encrypt, decrypt } = createCipher(secretKeys, 'webhook-secret')
  return {
    encrypt: (secret: string, webhookId: number): string =>
      encrypt(secret, webhookAssociatedData(webhookId)),
    /** Undefined for what no configured key decrypts. */
    decrypt: (ciphertext: string, webhookId: number): string | undefined =>
      decrypt(ciphertext, webhookAssociatedData(webhookId)),
  }
}
