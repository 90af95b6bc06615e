import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { createImageFetcher } from '#shop/imports/images/fetch-image.ts'
import type { UnpaidOrderRules } from '#shop/orders/unpaid/limit.ts'
import type { Shop } from '#shop/shop.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import { createAccountTokens } from '#src/secrets/account-tokens.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { consoleRoutes } from '#src/server/console/routes.ts'
import { createImportRunner } from '#src/server/imports/runner.ts'
import { notificationUrl, type Ports, publicUrl } from '#src/server/listen.ts'
import type { Store } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { createAuthServices } from './authentication.ts'
import type { DatabaseClock } from './database-clock.ts'
import { createFileParts } from './files.ts'
import { createPaymentProvider } from './payment-provider.ts'
import { createProtection } from './protection.ts'
import { createWebhookParts } from './webhooks.ts'

/** What must be open before the parts. */
export interface OpenOptions {
  readonly config: Config
  readonly secretKeys: SecretKeys
  readonly log: Log
  readonly ports: Ports
  readonly store: Store
  readonly passwords: Passwords
  readonly clock: DatabaseClock
}

/** What a server process has opened besides its database. */
export type OpenedParts = Awaited<ReturnType<typeof openParts>>

/** Opens what the configuration names. `close` closes it, except the imports, which stop first. */
export async function openParts(options: OpenOptions) {
  const { config, secretKeys, log, ports, store, passwords, clock } = options
  const { shopName, digest, eraseGraceDays, console: hasConsole } = config
  const issuer = publicUrl(config, ports)
  const payments = await createPaymentProvider(config, issuer)
  const { close: closeProtection, ...protection } = await createProtection(
    config,
    log,
    store.listReader,
  )
  const shop = shopOf(config)
  const common = { store, passwords, issuer, shopName, clock: clock.now }
  const access = createAuthServices({
    ...common,
    ...protection,
    secretKeys,
    digest,
    hasConsole,
    report: (error) => log.error({ err: error }, 'OAuth failed'),
  })
  const webhooks = createWebhookParts(secretKeys, config.webhookAllowedNetworks)
  const files = await createFileParts(config, log)
  const imports = createImportRunner({
    ...{ ...files, store, shop, log, clock: clock.now },
    fetchImage: createImageFetcher({ destinations: webhooks.webhookDestinations }),
    databaseUrl: config.database.url,
    directUrl: config.databaseDirect?.url,
  })
  return {
    ...common,
    ...protection,
    ...access,
    ...webhooks,
    ...files,
    shop,
    unpaidOrders: unpaidOrderRulesOf(config),
    eraseGraceDays,
    accountTokens: createAccountTokens(secretKeys),
    provider: payments.provider,
    callbackUrl: notificationUrl(config, ports, payments.url),
    rawRoutes: [
      ...access.oauth.routes,
      ...payments.rawRoutes,
      ...(hasConsole ? consoleRoutes() : []),
    ],
    imports,
    wakeImports: imports.wake,
    close: async () => {
      closeProtection()
      await payments.close()
    },
  }
}

const unpaidOrderRulesOf = (config: Config): UnpaidOrderRules => ({
  perUser: config.rateLimit === 'off' ? 'off' : config.unpaidOrders,
  stockShare: config.unpaidStockShare,
})

const shopOf = ({
  currency,
  pricesIncludeTax,
  timeZone,
  shopCountry,
  productUrl,
  orderPrefix,
  returnDays,
}: Config): Shop => ({
  productUrl,
  orderPrefix,
  returnDays,
  currency,
  currencyDigits: currencyDigits(currency),
  pricesIncludeTax,
  timeZone,
  country: shopCountry ?? null,
})
