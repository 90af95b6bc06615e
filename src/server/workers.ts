import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import type { Config } from '#src/config/config.ts'
import { createLog, type Log } from '#src/observability/log.ts'
import { gatherWorkerMetrics } from '#src/observability/worker-metrics.ts'
import { printAddresses, printFirstAdmin } from '#src/server/first-start/banner.ts'
import { prepareData } from '#src/server/first-start/prepare.ts'
import { readServerIdentity } from '#src/server/https/https.ts'
import { choosePorts, publicUrl } from '#src/server/listen.ts'
import { exitOnUncaughtErrors, stopOnSignal } from '#src/server/process-end.ts'
import { StartError } from '#src/server/start-error.ts'
import { openDatabase, storeOptions } from '#src/server/startup/database.ts'
import { joinHost } from '#src/server/startup/hosts.ts'
import { startSharedProvider } from '#src/server/startup/payment-provider.ts'
import { loadSecretKeys } from '#src/server/startup/secret-key.ts'
import { logWarnings } from '#src/server/startup/warnings.ts'

const firstPauseMs = 100
const maxPauseMs = 10_000
// A worker that lived this long is not part of a crash loop.
const healthyAfterMs = 60_000

/**
 * Serves from several processes: prepares the data once, forks the workers and replaces those that
 * die, with growing pauses in a crash loop. Resolves once all listen. Throws a StartError when one
 * cannot start.
 */
export async function serveFromWorkers(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  exitOnUncaughtErrors(log)
  // Checked here, so that an error is printed once and not by every worker.
  readServerIdentity(config)
  const store = await openDatabase(config.database, storeOptions(config))
  const { make } = createDigestSecrets(await loadSecretKeys(config), config.digest)
  const admin = await prepareData(store, config, { ...createPasswordHasher(), make })
  if (admin) printFirstAdmin(admin)
  // The workers join it themselves; an error is printed once.
  const leaveHost = await joinHost(store, config)
  await leaveHost()
  await store.close()
  const ports = await choosePorts(config)
  // Shared, since each sandbox knows only its own charges.
  const url = publicUrl(config, ports)
  const provider = await startSharedProvider(config, url)
  gatherWorkerMetrics()
  const { port, tlsPort } = ports
  const workers = startWorkers(config, tlsPort ?? port, log, {
    PORT: String(port),
    ...(tlsPort === undefined ? {} : { TLS_PORT: String(tlsPort) }),
    ...provider.env,
  })
  stopOnSignal(log, async () => {
    await workers.stop()
    await provider.close()
  })
  await workers.listening
  logWarnings(config, log)
  log.info({ url, workers: config.workers }, 'all workers listen')
  if (admin || process.stdout.isTTY) printAddresses(config, url)
}

interface Workers {
  /** Resolves once every worker listens; rejects when one ends before. */
  readonly listening: Promise<void>
  /** Stops the workers; rejects when one exits with another code than 0. */
  readonly stop: () => Promise<void>
}

/** Starts the workers; `lastPort` is the port that each listens on last. */
function startWorkers(
  { workers }: Config,
  lastPort: number,
  log: Log,
  env: NodeJS.ProcessEnv,
): Workers {
  let isStopping = false
  const slots = Array.from({ length: workers }, () => {
    const started = Promise.withResolvers<void>()
    const keepRunning = async (): Promise<number> => {
      for (let pauseMs = firstPauseMs; ; ) {
        const forkedAt = performance.now()
        const worker = cluster.fork(env)
        worker.on('listening', ({ port }) => {
          if (port === lastPort) started.resolve()
        })
        const code = await exitCodeOf(worker)
        started.reject(new StartError('A worker process could not start'))
        if (isStopping) return code
        if (performance.now() - forkedAt > healthyAfterMs) pauseMs = firstPauseMs
        log.error({ worker_pid: worker.process.pid, code, pause_ms: pauseMs }, 'worker died')
        await sleep(pauseMs, undefined, { ref: false })
        if (isStopping) return code
        pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      }
    }
    return { started: started.promise, ended: keepRunning() }
  })
  return {
    listening: Promise.all(slots.map(({ started }) => started)).then(() => undefined),
    stop: async () => {
      isStopping = true
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
      const codes = await Promise.all(slots.map(({ ended }) => ended))
      if (codes.some((code) => code !== 0))
        throw new Error(`workers ended with ${codes.join(', ')}`)
    },
  }
}

const exitCodeOf = (worker: Worker): Promise<number> =>
  new Promise((resolve) => worker.once('exit', (code) => resolve(code ?? 1)))
