import type { Passwords, Shop } from '#shop/dependencies.ts'
import { createWebhookUrlPolicy } from '#shop/messages/webhooks/delivery/sending/destinations.ts'
import { createSender } from '#shop/messages/webhooks/delivery/sending/send.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import { createAccountTokens } from '#src/secrets/account-tokens.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { createWebhookSecrets } from '#src/secrets/webhook-secrets.ts'
import { createImportRunner } from '#src/server/imports/runner.ts'
import { type Ports, publicUrl } from '#src/server/listen.ts'
import type { Store } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { createAuthServices } from './authentication.ts'
import { createFileDependencies } from './files.ts'
import { createPaymentProvider } from './payment-provider.ts'
import { createProtection } from './protection.ts'

/** What must be open before the other dependencies. */
export interface OpenOptions {
  readonly config: Config
  readonly secretKeys: SecretKeys
  readonly log: Log
  readonly ports: Ports
  readonly store: Store
  readonly passwords: Passwords
}

/** What a server process has opened besides its database. */
export type OpenDependencies = Awaited<ReturnType<typeof openDependencies>>

/** Opens what the configuration names. `close` closes it, except the imports, which stop first. */
export async function openDependencies(options: OpenOptions) {
  const { config, secretKeys, log, ports, store, passwords } = options
  const { digest, shopName, console: hasConsole } = config
  const issuer = publicUrl(config, ports)
  const payments = await createPaymentProvider(config, issuer)
  const { close: closeProtection, ...protection } = await createProtection(config, log)
  const identities = createAuthServices({
    ...protection,
    secretKeys,
    digest,
    passwords,
    store,
    issuer,
    shopName,
    hasConsole,
    clock: Date.now,
    report: (error) => log.error({ err: error }, 'OAuth failed'),
  })
  const accountTokens = createAccountTokens(secretKeys)
  const webhooks = createWebhookDependencies(config, secretKeys)
  const files = await createFileDependencies(config, log)
  const shop = shopOf(config)
  const imports = createImportRunner({
    databaseUrl: config.database.url,
    directUrl: config.databaseDirect?.url,
    store,
    shop,
    log,
  })
  return {
    issuer,
    shop,
    payments,
    protection,
    identities,
    accountTokens,
    webhooks,
    files,
    imports,
    close: async () => {
      closeProtection()
      await payments.close()
    },
  }
}

const shopOf = ({ currency, pricesIncludeTax, shopCountry }: Config): Shop => ({
  currency,
  currencyDigits: currencyDigits(currency),
  pricesIncludeTax,
  country: shopCountry ?? null,
})

function createWebhookDependencies({ webhookAllowedNetworks }: Config, secretKeys: SecretKeys) {
  const destinations = createWebhookUrlPolicy(webhookAllowedNetworks)
  return {
    destinations,
    send: createSender({ destinations }),
    secrets: createWebhookSecrets(secretKeys),
  }
}
