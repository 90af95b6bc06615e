import cluster from 'node:cluster'
import { keepFilesFree } from '#http/server/connection/open-files.ts'
import { createDigestCleanup } from '#shop/access/digest/cleanup.ts'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { accountPagesPath } from '#shop/accounts/account-pages/routes.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import { recordAbandonedCarts } from '#shop/checkout/carts/abandonment.ts'
import type { Config } from '#src/config/config.ts'
import { createLog, type Log } from '#src/observability/log.ts'
import type { Tracing } from '#src/observability/tracing/start.ts'
import { dayMs } from '#values/instant.ts'
import { type App, composeApp } from './compose.ts'
import { printAddresses, printFirstAdmin } from './first-start/banner.ts'
import { prepareData } from './first-start/prepare.ts'
import {
  createHttpsPolicy,
  readServerIdentity,
  trustedProxyOf,
  watchCertificate,
} from './https/https.ts'
import { createSecureListener, type SecureListener, type ServerIdentity } from './https/listener.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { choosePorts, listen, listenAt, publicUrl } from './listen.ts'
import { exitOnUncaughtErrors, stopOnSignal } from './process-end.ts'
import { startPurging } from './startup/cache-purges.ts'
import { warnOfClock } from './startup/clock.ts'
import { openDatabase, storeOptions } from './startup/database.ts'
import { startDatabaseClock } from './startup/database-clock.ts'
import { startEventSinks } from './startup/event-sinks.ts'
import { joinHost } from './startup/hosts.ts'
import { createMailDestination, createMailer } from './startup/mail.ts'
import { type OpenedParts, type OpenOptions, openParts } from './startup/parts.ts'
import { loadSecretKeys } from './startup/secret-key.ts'
import { logWarnings } from './startup/warnings.ts'

const jobsPauseMs = 2_000

/** Serves from this process and resolves once it listens. Throws a StartError when it cannot. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  exitOnUncaughtErrors(log)
  const ports = await choosePorts(config)
  const identity = readServerIdentity(config)
  const tracing = await startConfiguredTracing(config, log)
  const store = await openDatabase(config.database, {
    ...storeOptions(config),
    startStatement: tracing?.startStatement(config.database.kind),
  })
  const passwords = createPasswordHasher()
  const secretKeys = await loadSecretKeys(config)
  const { make } = createDigestSecrets(secretKeys, config.digest)
  const admin = await prepareData(store, config, { ...passwords, make })
  // Printed before anything else can fail, since the password cannot be shown again.
  if (admin) printFirstAdmin(admin)
  const leaveHost = await joinHost(store, config)
  const clock = await startDatabaseClock(store)
  const { app, listener } = await compose({
    config,
    secretKeys,
    log,
    ports,
    identity,
    store,
    passwords,
    tracing,
    leaveHost,
    clock,
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
    logWarnings(config, log)
    await warnOfClock(store, log, Date.now)
  }
  log.info({ url, host: config.host, tls_port: tlsPort, port }, 'ready')
  // Prose is for people; machines read the log.
  if (cluster.isPrimary && (admin || process.stdout.isTTY)) printAddresses(config, url)
}

interface ServeOptions extends OpenOptions {
  readonly identity: ServerIdentity | undefined
  readonly tracing: Tracing | undefined
  readonly leaveHost: () => Promise<void>
}

interface ComposedServer {
  readonly app: App
  /** Undefined without HTTPS. */
  readonly listener: SecureListener | undefined
}

/** Composes the server and starts its jobs; it does not listen yet. */
async function compose(options: ServeOptions): Promise<ComposedServer> {
  const { config, log, identity, store, tracing, leaveHost, clock } = options
  const opened = await openParts(options)
  const app = composeShop(options, opened)
  const jobs = startShopJobs(options, opened, app)
  const stopPurging = await startPurging(config, store, log)
  app.webhookDispatcher.start()
  const sinks = await startEventSinks(config, {
    ...{ db: store.db, clock: opened.clock, source: opened.issuer, log },
  })
  const listener =
    identity &&
    createSecureListener(app.app.server, identity, { isTrustedProxy: trustedProxyOf(config) })
  keepFilesFree(listener ? [app.app.server, listener.server] : [app.app.server], (facts) =>
    log.warn(facts, 'connections are refused: raise the number of files that the process may open'),
  )
  const stopWatchingCertificate = listener && watchCertificate(config, listener, log)
  stopOnSignal(log, async () => {
    stopWatchingCertificate?.()
    stopPurging?.()
    await app.drain(listener ? [listener] : [])
    await app.app.close()
    await Promise.all([
      ...[jobs.stop(), app.webhookDispatcher.stop(), sinks.stop(), opened.imports.stop()],
    ])
    await opened.keyUses.record(store.db)
    await opened.knownNetworks.record(store.db, clock.now())
    await leaveHost()
    clock.stop()
    await store.close()
    await opened.close()
    await tracing?.close()
  })
  return { app, listener }
}

const composeShop = (
  { config, log, ports, identity, tracing, clock }: ServeOptions,
  opened: OpenedParts,
) =>
  composeApp({
    ...opened,
    ...appSettings(config),
    clockAheadMs: clock.aheadMs,
    traceRequest: tracing?.traceRequest,
    baseUrl: opened.issuer,
    httpsPolicy: createHttpsPolicy(config, identity, ports),
    log,
  })

function startShopJobs(
  { config, log, store }: ServeOptions,
  { keyUses, oauth, digests, imports, limits }: OpenedParts,
  { parts, observeJob }: App,
): Jobs {
  const mailer = createMailer({
    ...parts,
    ...createMailDestination(config, parts.issuer),
    mailCounters: limits?.counters,
    accountPagesUrl: config.accountPagesUrl ?? parts.issuer + accountPagesPath,
    report: (facts, message) => log.warn(facts, message),
  })
  return startJobs(
    {
      ...parts,
      runImports: imports.run,
      observeJob,
      log,
      mailer,
      keyUses,
      rotateKeys: oauth.rotateKeys,
      purgeDeletedRows: store.purgeDeletedRows,
      cleanDigests: config.digest === 'on' ? undefined : createDigestCleanup(digests),
      recordAbandonedCarts: (db, now) => recordAbandonedCarts(db, config.currency, now),
      auditDays: config.auditRetentionDays,
      eventDays: config.eventRetentionDays,
    },
    { pauseMs: jobsPauseMs },
  )
}

/** Loads the packages of OpenTelemetry only where traces are configured. */
async function startConfiguredTracing(
  { tracesEndpoint }: Config,
  log: Log,
): Promise<Tracing | undefined> {
  if (tracesEndpoint === undefined || process.env['OTEL_SDK_DISABLED'] === 'true') return undefined
  const { startTracing } = await import('#src/observability/tracing/start.ts')
  return startTracing(log)
}

/** The settings that the application needs unchanged. */
const appSettings = (config: Config) => ({
  linksField: config.linksField,
  errorShape: config.errorShape,
  defaultVersion: config.defaultApiVersion,
  sunsetV1: config.sunsetV1,
  cacheKeys: config.cacheTags === 'off' ? undefined : config.cacheTags,
  requestTimeoutMs: config.requestTimeoutMs,
  responseCacheBytes: config.catalogueMemoryMb * 1024 * 1024,
  origins: config.corsOrigins,
  requireIfMatch: config.requireIfMatch,
  metricsToken: config.metricsToken,
  logAddresses: config.logAddresses,
  sinks: config.eventSinks && {
    names: config.eventSinks.map(({ name }) => name),
    retentionMs: config.eventRetentionDays * dayMs,
  },
})
