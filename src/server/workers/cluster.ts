import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import { openPasswords } from '#auth/passwords/hash.ts'
import type { Config } from '#src/config/config.ts'
import { type Log, openLog } from '#src/observability/log.ts'
import { gatherWorkerMetrics } from '#src/observability/worker-metrics.ts'
import { printAddresses, printFirstAdmin } from '#src/server/first-start/banner.ts'
import { prepareData } from '#src/server/first-start/prepare.ts'
import { readIdentityOf } from '#src/server/https/https.ts'
import { choosePorts, publicUrl } from '#src/server/listen.ts'
import { openDatabase } from '#src/server/open/database.ts'
import { shareProvider } from '#src/server/open/provider.ts'
import { secretsOf } from '#src/server/open/secrets.ts'
import { exitOnFaults, stopAtSignal } from '#src/server/process-end.ts'
import { StartError } from '#src/server/start-error.ts'

const firstPauseMs = 100
const maxPauseMs = 10_000
// Who has lived that long did not die of what killed the one before.
const healthyAfterMs = 60_000

/**
 * Serves from several processes: prepares the data once, forks them, and starts each anew that
 * dies, more slowly the sooner it does. Resolves once all listen; throws a StartError where not.
 */
export async function serveFromWorkers(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  exitOnFaults(log)
  // Here, so that a mistake is told once and not by every worker.
  readIdentityOf(config)
  const store = await openDatabase(config.database)
  // More than one process needs PostgreSQL, which needs a secret of its own.
  const { make } = openDigestSecrets(await secretsOf(config), config.digest)
  const admin = await prepareData(store, config, { ...openPasswords(), make })
  await store.close()
  if (admin) printFirstAdmin(admin)
  const ports = await choosePorts(config)
  // One for all of them, or none would know what another has charged.
  const provider = await shareProvider(config)
  gatherWorkerMetrics()
  const { port, tlsPort } = ports
  const workers = startWorkers(config, tlsPort ?? port, log, {
    PORT: String(port),
    ...(tlsPort === undefined ? {} : { TLS_PORT: String(tlsPort) }),
    PAYMENT_PROVIDER_URL: provider.url,
    PAYMENT_PROVIDER_SECRET: provider.secret,
  })
  stopAtSignal(log, async () => {
    await workers.stop()
    await provider.close()
  })
  await workers.listening
  const url = publicUrl(config, ports)
  log.info({ url, workers: config.workers }, 'all workers listen')
  if (admin || process.stdout.isTTY) printAddresses(config, url)
}

interface Workers {
  /** Resolves once every worker listens; rejects where the first of them cannot start. */
  readonly listening: Promise<void>
  /** Ends the workers; rejects where one did not end well. */
  readonly stop: () => Promise<void>
}

/** `lastPort` is the last of those that a worker begins to listen on. */
function startWorkers(
  { workers }: Config,
  lastPort: number,
  log: Log,
  env: NodeJS.ProcessEnv,
): Workers {
  let isStopping = false
  const lives = Array.from({ length: workers }, () => {
    const started = Promise.withResolvers<void>()
    const keep = async (): Promise<number> => {
      for (let pauseMs = firstPauseMs; ; ) {
        const bornAt = performance.now()
        const worker = cluster.fork(env)
        worker.on('listening', ({ port }) => {
          if (port === lastPort) started.resolve()
        })
        const code = await endOf(worker)
        started.reject(new StartError('A worker process could not start'))
        if (isStopping) return code
        if (performance.now() - bornAt > healthyAfterMs) pauseMs = firstPauseMs
        log.error({ worker_pid: worker.process.pid, code, pause_ms: pauseMs }, 'worker died')
        await sleep(pauseMs, undefined, { ref: false })
        if (isStopping) return code
        pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      }
    }
    return { started: started.promise, ended: keep() }
  })
  return {
    listening: Promise.all(lives.map(({ started }) => started)).then(() => undefined),
    stop: async () => {
      isStopping = true
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
      const codes = await Promise.all(lives.map(({ ended }) => ended))
      if (codes.some((code) => code !== 0))
        throw new Error(`workers ended with ${codes.join(', ')}`)
    },
  }
}

const endOf = (worker: Worker): Promise<number> =>
  new Promise((resolve) => worker.once('exit', (code) => resolve(code ?? 1)))
