import { createSender } from '#shop/messages/webhooks/delivery/sending/send.ts'
import { createDestinationPolicy } from '#shop/outbound/destinations.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { createWebhookSecrets } from '#src/secrets/webhook-secrets.ts'

/** Creates what sends webhooks, to public addresses and to `networks`. */
export function createWebhookParts(secretKeys: SecretKeys, networks: readonly string[]) {
  const webhookDestinations = createDestinationPolicy(networks)
  return {
    webhookDestinations,
    sendWebhook: createSender({ destinations: webhookDestinations }),
    webhookSecrets: createWebhookSecrets(secretKeys),
  }
}
