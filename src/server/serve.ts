import cluster from 'node:cluster'
import { openAccountTokens } from '#auth/account-tokens.ts'
import { makeApiKey } from '#auth/api-keys/secret.ts'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { openPasswords } from '#auth/passwords/hash.ts'
import { openDigestCleanup } from '#auth/re-encryption/digest-cleanup.ts'
import { openWebhookSecrets } from '#auth/webhook-secrets.ts'
import type { Db, Store } from '#db/database.ts'
import { accountPagesPath } from '#resources/account-pages/routes.ts'
import { recordAbandonedCarts } from '#resources/carts/abandonment.ts'
import type { Passwords } from '#resources/dependencies.ts'
import type { Config } from '#src/config/config.ts'
import { openDestinations } from '#src/events/webhooks/sending/destinations.ts'
import { openSender } from '#src/events/webhooks/sending/send.ts'
import { type Log, openLog } from '#src/observability/log.ts'
import type { Tracing } from '#src/observability/tracing/open.ts'
import type { Instant } from '#values/instant.ts'
import { currencyDigits } from '#values/money.ts'
import { type App, composeApp } from './compose.ts'
import { consoleRoutes } from './console/routes.ts'
import { printAddresses, printFirstAdmin } from './first-start/banner.ts'
import { prepareData } from './first-start/prepare.ts'
import { createHttpsPolicy, readServerIdentity, watchCertificate } from './https/https.ts'
import { openSecureListener, type SecureListener, type ServerIdentity } from './https/listener.ts'
import { openImportRunner } from './imports/runner.ts'
import { startJobs } from './jobs.ts'
import { choosePorts, listen, listenAt, notificationUrl, type Ports, publicUrl } from './listen.ts'
import { openAuthentication } from './open/authentication.ts'
import { openDatabase, storeOptions } from './open/database.ts'
import { openFiles, warnOfUnscaledImages } from './open/files.ts'
import { openMailDestination, openMailer, warnOfMailFolder } from './open/mail.ts'
import { openProtection } from './open/protection.ts'
import { openProvider, warnOfSandbox } from './open/provider.ts'
import { loadSecretKeys } from './open/secret-key.ts'
import { exitOnUncaughtErrors, stopOnSignal } from './process-end.ts'

const jobsPauseMs = 2_000

/** Serves from this process and resolves once it listens. Throws a StartError when it cannot. */
export async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  exitOnUncaughtErrors(log)
  const ports = await choosePorts(config)
  const identity = readServerIdentity(config)
  const tracing = await openConfiguredTracing(config, log)
  const store = await openDatabase(config.database, {
    ...storeOptions(config),
    startStatement: tracing?.startStatement(config.database.kind),
  })
  const passwords = openPasswords()
  const secretKeys = await loadSecretKeys(config)
  const { make } = openDigestSecrets(secretKeys, config.digest)
  const admin = await prepareData(store, config, { ...passwords, make })
  // Printed before anything else can fail, since the password cannot be shown again.
  if (admin) printFirstAdmin(admin)
  const { app, listener } = await compose({
    config,
    secretKeys,
    log,
    ports,
    identity,
    store,
    passwords,
    tracing,
  })
  const { port, tlsPort } = ports
  await listen(app, config.host, port)
  if (listener && tlsPort !== undefined) await listenAt(listener, config.host, tlsPort)
  const url = publicUrl(config, ports)
  if (store.isPooled && config.databaseDirect === undefined) {
    log.warn(
      'DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL, or nothing may be cached',
    )
  }
  if (cluster.isPrimary) {
    warnOfSandbox(config, log)
    warnOfMailFolder(config, log)
  }
  log.info({ url, host: config.host, tls_port: tlsPort, port }, 'ready')
  // Prose is for people; machines read the log.
  if (cluster.isPrimary && (admin || process.stdout.isTTY)) printAddresses(config, url)
}

interface ServeOptions {
  readonly config: Config
  readonly secretKeys: SecretKeys
  readonly log: Log
  readonly ports: Ports
  readonly identity: ServerIdentity | undefined
  readonly store: Store
  readonly passwords: Passwords
  readonly tracing: Tracing | undefined
}

interface ComposedServer {
  readonly app: App
  /** Undefined without HTTPS. */
  readonly listener: SecureListener | undefined
}

async function compose(options: ServeOptions): Promise<ComposedServer> {
  const { config, secretKeys, log, ports, identity, store, passwords, tracing } = options
  const issuer = publicUrl(config, ports)
  const { provider, close: closeProvider, ...opening } = await openProvider(config, issuer)
  const { close: closeProtection, ...protection } = await openProtection(config, log)
  const report = (error: unknown) => log.error({ err: error }, 'OAuth failed')
  const secrets = { secretKeys, digest: config.digest, passwords }
  const { shopName, console: hasConsole } = config
  const dependencies = {
    ...protection,
    ...secrets,
    store,
    issuer,
    shopName,
    hasConsole,
    clock: Date.now,
    report,
  }
  const opened = openAuthentication(dependencies)
  const { tokens, oauth, digests, loginThrottle, keyUses, knownNetworks, ...authentication } =
    opened
  const accountTokens = openAccountTokens(secretKeys)
  const files = await openFiles(config, log)
  if (cluster.isPrimary) warnOfUnscaledImages(files, log)
  const signIn = { passwords, loginThrottle, knownNetworks, tokens, digests }
  const shop = {
    currency: config.currency,
    currencyDigits: currencyDigits(config.currency),
    pricesIncludeTax: config.pricesIncludeTax,
    country: config.shopCountry ?? null,
  }
  const imports = openImportRunner({
    databaseUrl: config.database.url,
    directUrl: config.databaseDirect?.url,
    store,
    shop,
    log,
  })
  const app = composeApp({
    ...protection,
    ...authentication,
    store,
    rawRoutes: [...oauth.routes, ...opening.rawRoutes, ...(hasConsole ? consoleRoutes() : [])],
    dependencies: {
      shopName,
      shop,
      ...signIn,
      apiKeys: { make: makeApiKey },
      accountTokens,
      provider,
      webhooks: openWebhooks(config, secretKeys),
      files,
      issuer,
      callbackUrl: notificationUrl(config, ports, opening.url),
      eraseGraceDays: config.eraseGraceDays,
    },
    ...appSettings(config),
    clock: Date.now,
    traceRequest: tracing?.traceRequest,
    baseUrl: issuer,
    httpsPolicy: createHttpsPolicy(config, identity, ports),
    wakeImports: imports.wake,
    log,
  })
  const maintenanceJobs = {
    keyUses,
    knownNetworks,
    rotateKeys: oauth.rotateKeys,
    purgeDeletedRows: store.purgeDeletedRows,
    cleanDigests: config.digest === 'on' ? undefined : openDigestCleanup(digests),
    recordAbandonedCarts: (db: Db, now: Instant) => recordAbandonedCarts(db, config.currency, now),
    auditDays: config.auditRetentionDays,
    eventDays: config.eventRetentionDays,
  }
  const mailer = openMailer({
    ...openMailDestination(config, issuer),
    transaction: app.paymentDependencies.transaction,
    tokens: accountTokens,
    shopName,
    accountPagesUrl: config.accountPagesUrl ?? issuer + accountPagesPath,
    clock: Date.now,
    report: (facts, message) => log.warn(facts, message),
  })
  const jobs = startJobs(
    {
      paymentDependencies: app.paymentDependencies,
      runImports: imports.run,
      storage: files.storage,
      observeJob: app.observeJob,
      db: store.db,
      log,
      mailer,
      ...maintenanceJobs,
    },
    { pauseMs: jobsPauseMs },
  )
  app.webhookDispatcher.start()
  const listener = identity && openSecureListener(app.app.server, identity)
  const stopWatchingCertificate = listener && watchCertificate(config, listener, log)
  const recordUses = async () => {
    await keyUses.record(store.db)
    await knownNetworks.record(store.db, Date.now())
  }
  stopOnSignal(log, async () => {
    stopWatchingCertificate?.()
    await app.drain(listener ? [listener] : [])
    await app.app.close()
    await Promise.all([jobs.stop(), app.webhookDispatcher.stop(), imports.stop()])
    await recordUses()
    await store.close()
    closeProtection()
    await closeProvider()
    await tracing?.close()
  })
  return { app, listener }
}

/** Loads the packages of OpenTelemetry only where traces are configured. */
async function openConfiguredTracing(
  { tracesEndpoint }: Config,
  log: Log,
): Promise<Tracing | undefined> {
  if (tracesEndpoint === undefined || process.env['OTEL_SDK_DISABLED'] === 'true') return undefined
  const { openTracing } = await import('#src/observability/tracing/open.ts')
  return openTracing(log)
}

function openWebhooks({ webhookAllowedNetworks }: Config, secretKeys: SecretKeys) {
  const destinations = openDestinations(webhookAllowedNetworks)
  return {
    destinations,
    send: openSender({ destinations }),
    secrets: openWebhookSecrets(secretKeys),
  }
}

/** The settings that the application needs unchanged. */
const appSettings = (config: Config) => ({
  linksField: config.linksField,
  errorShape: config.errorShape,
  defaultVersion: config.defaultApiVersion,
  sunsetV1: config.sunsetV1,
  responseCacheBytes: config.catalogueMemoryMb * 1024 * 1024,
  origins: config.corsOrigins,
  requireIfMatch: config.requireIfMatch,
  metricsToken: config.metricsToken,
  logAddresses: config.logAddresses,
})
