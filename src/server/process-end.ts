import type { Log } from '#src/observability/log.ts'

const stopTimeoutMs = 10_000
const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs `stop` on the first SIGTERM or SIGINT, then exits with 0, or with 1 when `stop` fails or takes
 * longer than ten seconds. Further signals are ignored, since a terminal and npm both send one.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let isStopping = false
  const handleSignal = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.fatal({ milliseconds: stopTimeoutMs }, 'not stopped in time')
      process.exit(1)
    }, stopTimeoutMs).unref()
    try {
      await stop()
      log.info('stopped')
      process.exit(0)
    } catch (error) {
      log.fatal({ err: error }, 'not stopped cleanly')
      process.exit(1)
    }
  }
  for (const signal of signals) process.on(signal, (name) => void handleSignal(name))
}

/** Logs uncaught errors and exits with 1, since the state of the process is then unknown. */
export function exitOnUncaughtErrors(log: Log): void {
  const exit = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught')
    process.exit(1)
  }
  process.on('uncaughtException', exit)
  process.on('unhandledRejection', exit)
}
