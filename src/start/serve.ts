import cluster from 'node:cluster'
import { openTokens } from '#identity/access-tokens.ts'
import { authenticationBy } from '#identity/authentication.ts'
import { bearer } from '#identity/bearer.ts'
import { openPasswords } from '#identity/passwords.ts'
import { openSealer } from '#identity/sealing.ts'
import { trustIn } from '#kernel/proxies.ts'
import type { Passwords } from '#resources/parts.ts'
import { type App, buildApp } from '#src/app.ts'
import type { Config } from '#src/config.ts'
import { startJobs } from '#src/jobs.ts'
import { type Log, openLog } from '#src/operations/logging.ts'
import { dieOfFaults, stopAtSignal } from '#src/operations/process-end.ts'
import { keepSecretKey } from '#src/operations/secret-key.ts'
import type { Store } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { tellFirstAdmin, tellPlaces } from './banner.ts'
import { openDatabase } from './database.ts'
import { choosePort, listen, notificationUrl, publicUrl } from './listen.ts'
import { prepareData } from './prepare.ts'
import { openProtection } from './protection.ts'
import { connectProvider, findProvider } from './provider.ts'

/** How long the jobs rest between two rounds. */
const jobsPauseMs = 2_000

/** Serves from this process and resolves once it listens; throws a StartError where it cannot. */
export async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  dieOfFaults(log)
  const port = await choosePort(config)
  const store = await openDatabase(config.database)
  const passwords = await openPasswords()
  const admin = await prepareData(store, config, passwords)
  // Before anything else can fail: nobody will be able to tell it later.
  if (admin) tellFirstAdmin(admin)
  const app = await compose({ config, log, port, store, passwords })
  await listen(app, config.host, port)
  const url = publicUrl(config, port)
  log.info({ url, host: config.host, port }, 'ready')
  // Nobody but a person is told in prose; what a machine reads is the log.
  if (cluster.isPrimary && (admin || process.stdout.isTTY)) tellPlaces(config, url)
}

interface Grounds {
  readonly config: Config
  readonly log: Log
  readonly port: number
  readonly store: Store
  readonly passwords: Passwords
}

async function compose({ config, log, port, store, passwords }: Grounds): Promise<App> {
  const secretKey = config.secretKey ?? (await keepSecretKey(config.database.file))
  const tokens = openTokens(secretKey)
  const providerPlace = await findProvider(config)
  const provider = connectProvider(providerPlace, config.paymentTimeoutMs)
  const { close: closeProtection, ...protection } = await openProtection(config, log)
  const app = buildApp({
    ...protection,
    store,
    parts: {
      shop: { currency: config.currency, currencyDigits: currencyDigits(config.currency) },
      passwords,
      tokens,
      provider,
      callbackUrl: notificationUrl(config, port, providerPlace.url),
    },
    authentication: authenticationBy([bearer(tokens)]),
    sealer: openSealer(secretKey),
    clock: Date.now,
    linksField: config.linksField,
    errorShape: config.errorShape,
    defaultVersion: config.defaultApiVersion,
    origins: config.corsOrigins,
    ...(config.trustProxy
      ? { proxies: { trusts: trustIn(config.trustProxy), plain: config.plainHttp } }
      : {}),
    log,
  })
  const jobs = startJobs(app.till, store.db, log, jobsPauseMs)
  stopAtSignal(log, async () => {
    await app.drain()
    await app.app.close()
    await jobs.stop()
    await store.close()
    closeProtection()
    await provider.close()
    await providerPlace.close()
  })
  return app
}
