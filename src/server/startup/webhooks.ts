import { createWebhookUrlPolicy } from '#shop/messages/webhooks/delivery/sending/destinations.ts'
import { createSender } from '#shop/messages/webhooks/delivery/sending/send.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { createWebhookSecrets } from '#src/secrets/webhook-secrets.ts'

/** Creates what sends webhooks, to public addresses and to `networks`. */
export function createWebhookParts(secretKeys: SecretKeys, networks: readonly string[]) {
  const webhookDestinations = createWebhookUrlPolicy(networks)
  return {
    webhookDestinations,
    sendWebhook: createSender({ destinations: webhookDestinations }),
    webhookSecrets: createWebhookSecrets(secretKeys),
  }
}
