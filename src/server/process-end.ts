import type { Log } from '#src/observability/log.ts'

const stopWithinMs = 10_000
const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs `stop` at the first SIGTERM or SIGINT and ends the process: with 0, or with 1 where `stop`
 * fails or takes longer than ten seconds. Further signals change nothing, since a terminal and npm
 * both send one.
 */
export function stopAtSignal(log: Log, stop: () => Promise<void>): void {
  let isStopping = false
  const begin = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.fatal({ milliseconds: stopWithinMs }, 'not stopped in time')
      process.exit(1)
    }, stopWithinMs).unref()
    try {
      await stop()
      log.info('stopped')
      process.exit(0)
    } catch (error) {
      log.fatal({ err: error }, 'not stopped cleanly')
      process.exit(1)
    }
  }
  for (const signal of signals) process.on(signal, (name) => void begin(name))
}

/** Ends the process with 1 at an error that nobody caught, after logging it: its state is unknown. */
export function exitOnFaults(log: Log): void {
  const die = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}
