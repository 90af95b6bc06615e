import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** One run of pgbench. */
export interface PgbenchOptions {
  readonly program: string
  readonly url: string
  readonly script: string
  readonly clients: number
  readonly seconds: number
}

/** Runs a script and tells how many transactions a second there were; throws where one failed. */
export async function runPgbench(options: PgbenchOptions): Promise<number> {
  const { program, url, script, clients, seconds } = options
  const size = ['-c', String(clients), '-j', '1', '-T', String(Math.ceil(seconds))]
  // The name of a database may be an address.
  const child = spawn(
    program,
    ['-n', '-M', 'prepared', '-D', 'turn=0', ...size, '-f', script, url],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const failed = once(child, 'error').then(([error]) => Promise.reject(error))
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const [said, complained, [code]] = await Promise.race([ended, failed])
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
  const isWhole = /number of failed transactions: 0 /.test(said)
  if (code !== 0 || !(perSecond > 0) || !isWhole) {
    throw new Error(`pgbench failed (${code}):\n${complained.slice(0, 2000)}\n${said}`)
  }
  return perSecond
}
