import cluster from 'node:cluster'
import { makeApiKey } from '#auth/api-keys/secret.ts'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import type { SecretKeys } from '#auth/keys.ts'
import { openPasswords } from '#auth/passwords/hash.ts'
import { openDigestCleanup } from '#auth/re-encryption/digest-cleanup.ts'
import type { Store } from '#db/database.ts'
import type { Passwords } from '#resources/dependencies.ts'
import type { Config } from '#src/config/config.ts'
import { type Log, openLog } from '#src/observability/log.ts'
import { currencyDigits } from '#values/money.ts'
import { type App, composeApp } from './compose.ts'
import { printAddresses, printFirstAdmin } from './first-start/banner.ts'
import { prepareData } from './first-start/prepare.ts'
import { createHttpsPolicy, readServerIdentity, watchCertificate } from './https/https.ts'
import { openSecureListener, type SecureListener, type ServerIdentity } from './https/listener.ts'
import { startJobs } from './jobs.ts'
import { choosePorts, listen, listenAt, notificationUrl, type Ports, publicUrl } from './listen.ts'
import { openAuthentication } from './open/authentication.ts'
import { openDatabase } from './open/database.ts'
import { openProtection } from './open/protection.ts'
import { openProvider } from './open/provider.ts'
import { loadSecretKeys } from './open/secret-key.ts'
import { exitOnUncaughtErrors, stopOnSignal } from './process-end.ts'

const jobsPauseMs = 2_000

/** Serves from this process and resolves once it listens. Throws a StartError when it cannot. */
export async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  exitOnUncaughtErrors(log)
  const ports = await choosePorts(config)
  const identity = readServerIdentity(config)
  const store = await openDatabase(config.database)
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
  })
  const { port, tlsPort } = ports
  await listen(app, config.host, port)
  if (listener && tlsPort !== undefined) await listenAt(listener, config.host, tlsPort)
  const url = publicUrl(config, ports)
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
}

interface ComposedServer {
  readonly app: App
  /** Undefined without HTTPS. */
  readonly listener: SecureListener | undefined
}

async function compose(options: ServeOptions): Promise<ComposedServer> {
  const { config, secretKeys, log, ports, identity, store, passwords } = options
  const { provider, url: providerUrl, close: closeProvider } = openProvider(config)
  const { close: closeProtection, ...protection } = await openProtection(config, log)
  const issuer = publicUrl(config, ports)
  const report = (error: unknown) => log.error({ err: error }, 'OAuth failed')
  const secrets = { secretKeys, digest: config.digest, passwords }
  const dependencies = { ...protection, ...secrets, store, issuer, clock: Date.now, report }
  const opened = openAuthentication(dependencies)
  const { tokens, oauth, digests, loginThrottle, keyUses, knownNetworks, ...authentication } =
    opened
  const signIn = { passwords, loginThrottle, knownNetworks, tokens, digests }
  const app = composeApp({
    ...{ ...protection, ...authentication, store, rawRoutes: oauth.routes },
    dependencies: {
      shop: { currency: config.currency, currencyDigits: currencyDigits(config.currency) },
      ...signIn,
      apiKeys: { make: makeApiKey },
      provider,
      issuer,
      callbackUrl: notificationUrl(config, ports, providerUrl),
      eraseGraceDays: config.eraseGraceDays,
    },
    ...appSettings(config),
    clock: Date.now,
    baseUrl: issuer,
    httpsPolicy: createHttpsPolicy(config, identity, ports),
    log,
  })
  const maintenanceJobs = {
    keyUses,
    knownNetworks,
    rotateKeys: oauth.rotateKeys,
    purgeDeletedRows: store.purgeDeletedRows,
    cleanDigests: config.digest === 'on' ? undefined : openDigestCleanup(digests),
    auditDays: config.auditRetentionDays,
  }
  const jobs = startJobs(
    { paymentDependencies: app.paymentDependencies, db: store.db, log, ...maintenanceJobs },
    jobsPauseMs,
  )
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
    await jobs.stop()
    await recordUses()
    await store.close()
    closeProtection()
    await closeProvider()
  })
  return { app, listener }
}

/** The settings that the application needs unchanged. */
const appSettings = (config: Config) => ({
  linksField: config.linksField,
  errorShape: config.errorShape,
  defaultVersion: config.defaultApiVersion,
  responseCacheBytes: config.catalogueMemoryMb * 1024 * 1024,
  origins: config.corsOrigins,
  requireIfMatch: config.requireIfMatch,
  metricsToken: config.metricsToken,
  logAddresses: config.logAddresses,
})
