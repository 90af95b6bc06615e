import { openSealer } from './encryption.ts'
import type { SecretKeys } from './keys.ts'

/** Returns the name to which the secrets of a webhook are bound. */
export const webhookSecretName = (webhookId: number): string => `webhook ${webhookId}`

/** Opens the encryption of the secrets that sign webhooks. */
export const openWebhookSealer = (secretKeys: SecretKeys): ReturnType<typeof openSealer> =>
  openSealer(secretKeys, 'webhook-secret')

/** Encrypts and decrypts the secrets of webhooks, each bound to the ID of its webhook. */
export function openWebhookSecrets(secretKeys: SecretKeys) {
  const { seal, open } = openWebhookSealer(secretKeys)
  return {
    seal: (secret: string, webhookId: number): string => seal(secret, webhookSecretName(webhookId)),
    /** Undefined for what no configured key decrypts. */
    open: (sealed: string, webhookId: number): string | undefined =>
      open(sealed, webhookSecretName(webhookId)),
  }
}
