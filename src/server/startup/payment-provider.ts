import { dirname, join } from 'node:path'
import type { RawRoute } from '#http/server/raw-routes.ts'
import { httpProvider, providerOver } from '#shop/providers/http/http-provider.ts'
import { createProviderClient, type ProviderClient } from '#shop/providers/http/provider-client.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import { pagePath, sandboxPageRoutes } from '#shop/providers/sandbox/page/routes.ts'
import { createSandboxClient } from '#shop/providers/sandbox/sandbox-client.ts'
import { openSandbox, type SandboxOptions, startSandbox } from '#shop/providers/sandbox/server.ts'
import type { Config } from '#src/config/config.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import type { Log } from '#src/observability/log.ts'
import { makeSecret } from '#src/secrets/secrets.ts'
import { makeFolder } from '#store/folder.ts'
import { makeDefaultFolderPrivate } from '#store/private-files.ts'
import { parseHostList } from '#values/host-list.ts'
import { dataFolderOf } from './data-folder.ts'

/** The payment provider of a server process. */
interface ConfiguredProvider {
  readonly provider: PaymentProvider
  /** Where the provider runs; undefined in this process. */
  readonly url?: string
  /** The pages that the provider serves from this server. */
  readonly rawRoutes: readonly RawRoute[]
  readonly close: () => Promise<void>
}

/**
 * Creates the configured payment provider; `publicUrl` is the URL of this server.
 */
export async function createPaymentProvider(
  config: Config,
  publicUrl: string,
): Promise<ConfiguredProvider> {
  switch (config.paymentProvider) {
    case 'sandbox':
      return createSandboxProvider(config, publicUrl)
    case 'http':
      return createHttpProvider(config)
    case 'stripe':
      return createStripeProvider(config)
    default:
      return config.paymentProvider satisfies never
  }
}

function createHttpProvider(config: Config): ConfiguredProvider {
  const { paymentProviderUrl: url = '', paymentTimeoutMs: timeoutMs } = config
  const secret = providerSecret(config)
  const provider = httpProvider({ baseUrl: url, secret, timeoutMs, name: 'http' })
  return { provider, url, rawRoutes: [], close: provider.close }
}

/** Loads Stripe's package only here: it is large, and a shop without Stripe does not need it. */
async function createStripeProvider(config: Config): Promise<ConfiguredProvider> {
  const { stripeProvider } = await import('#shop/providers/stripe/stripe-provider.ts')
  const { stripeSecretKey = '', stripeWebhookSecret = '' } = config
  const { stripeApiBase: apiBase, paymentTimeoutMs: timeoutMs } = config
  const keys = { secretKey: stripeSecretKey, webhookSecret: stripeWebhookSecret }
  const provider = stripeProvider({ ...keys, apiBase, timeoutMs })
  return { provider, url: apiBase, rawRoutes: [], close: provider.close }
}

/** Creates a client of the sandbox in this process, or of the one that the workers share. */
function createSandboxProvider(config: Config, publicUrl: string): ConfiguredProvider {
  const shared = sharedSandboxOf(process.env)
  if (shared) {
    const client = createProviderClient(shared.url, shared.secret, config.paymentTimeoutMs)
    return { ...sandboxProvider(client, shared.secret, config), url: shared.url }
  }
  const secret = providerSecret(config)
  const sandbox = openSandbox(sandboxOptions(config, secret, publicUrl))
  const client = createSandboxClient(sandbox, config.paymentTimeoutMs)
  const created = sandboxProvider(client, secret, config)
  const close = async () => {
    await created.close()
    await sandbox.close()
  }
  return { ...created, close }
}

function sandboxProvider(
  client: ProviderClient,
  secret: string,
  { shopName }: Config,
): ConfiguredProvider {
  const provider = providerOver(client, { secret, name: 'sandbox' })
  const rawRoutes = sandboxPageRoutes(client, shopName)
  return { provider, rawRoutes, close: provider.close }
}

/** What workers need to share a provider that runs in the first process. */
interface SharedProvider {
  /** Environment variables of the workers. */
  readonly env: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/** Starts the sandbox on a free port, if it is the configured provider. */
export async function startSharedProvider(
  config: Config,
  publicUrl: string,
): Promise<SharedProvider> {
  if (config.paymentProvider !== 'sandbox') return { env: {}, close: async () => {} }
  const secret = providerSecret(config)
  const options = sandboxOptions(config, secret, publicUrl)
  const { url, close } = await startSandbox({ port: 0, ...options })
  return { env: { [sandboxVariables.url]: url, [sandboxVariables.secret]: secret }, close }
}

/** Set by the first process for its workers; no settings. */
const sandboxVariables = {
  url: 'CARTWRIGHT_SANDBOX_URL',
  secret: 'CARTWRIGHT_SANDBOX_SECRET',
} as const

function sharedSandboxOf(env: NodeJS.ProcessEnv) {
  const { [sandboxVariables.url]: url, [sandboxVariables.secret]: secret } = env
  return url === undefined || secret === undefined ? undefined : { url, secret }
}

/** Warns at a start that payments move no money. */
export function warnOfSandbox({ paymentProvider }: Config, log: Pick<Log, 'warn'>): void {
  if (paymentProvider !== 'sandbox') return
  log.warn(
    'payments go to the built-in sandbox, which moves no money: set PAYMENT_PROVIDER to sell',
  )
}

const providerSecret = ({ paymentProviderSecret }: Config): string =>
  paymentProviderSecret ?? makeSecret()

function sandboxOptions({ database }: Config, secret: string, publicUrl: string): SandboxOptions {
  const pageUrl = publicUrl + pagePath
  const file = chargesFileOf(database)
  if (file === undefined) return { secret, pageUrl }
  makeFolder(dirname(file))
  makeDefaultFolderPrivate(dirname(file))
  return { secret, pageUrl, file }
}

/**
 * Returns the file for the charges of the sandbox, which must last as long as the payments;
 * undefined in memory.
 */
export function chargesFileOf(database: DatabaseAddress): string | undefined {
  const { kind, url, file } = database
  if (kind === 'sqlite') return file === undefined ? undefined : `${file}.charges`
  const name = parseHostList(url)?.first.pathname.replaceAll(/[^\w.-]/g, '') || 'postgres'
  return join(dataFolderOf(database), `${name}.charges`)
}
