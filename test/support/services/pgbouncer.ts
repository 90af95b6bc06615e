import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { freePort } from './ports.ts'
import { findServerUser } from './server-user.ts'

const variable = 'TEST_PGBOUNCER'

/** The reason why tests cannot start PgBouncer, or false: a value for `skip`. */
export const pgbouncerSkipReason = (): string | false =>
  process.env[variable] === undefined && `PgBouncer is not tested: ${variable} is not set`

/** A PgBouncer in transaction mode before one PostgreSQL server. */
export interface Pgbouncer {
  /** Returns the address by which PgBouncer reaches the database of an address. */
  readonly urlOf: (databaseUrl: string) => string
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Options of a PgBouncer. */
export interface PgbouncerOptions {
  /** The connections to the server, for each database; 10 by default. */
  readonly poolSize?: number
  /** The port to listen on; a free one by default. */
  readonly port?: number
  /** Further lines of the section `pgbouncer`. */
  readonly settings?: readonly string[]
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts PgBouncer before the server of a URL. */
export async function startPgbouncer(
  serverUrl: string,
  { poolSize = 10, settings = [], ...options }: PgbouncerOptions = {},
): Promise<Pgbouncer> {
  const target = new URL(serverUrl)
  const folder = await mkdtemp('/tmp/cartwright-pgbouncer-')
  const user = await findServerUser()
  const port = options.port ?? (await freePort())
  const login = `user=${target.username}${target.password && ` password=${target.password}`}`
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port || 5432} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 500',
    `default_pool_size = ${poolSize}`,
    ...settings,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  for (const path of [folder, file]) {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid ?? user.uid)
  }
  const child = spawn(process.env[variable] ?? 'pgbouncer', ['-q', file], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(child, 'close').then(() => running.delete(child))
  const urlOf = (databaseUrl: string): string => {
    const url = new URL(databaseUrl)
    url.hostname = '127.0.0.1'
    url.port = String(port)
    return url.href
  }
  while (!(await answers(urlOf(serverUrl)))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${output}`)
    await sleep(20)
  }
  return {
    urlOf,
    port,
    stop: async () => {
      // At once, where SIGINT would wait for the clients.
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, prepare: false, fetch_types: false, backoff: () => 0 })
  const answered = await sql.unsafe('select 1').then(
    () => true,
    () => false,
  )
  await sql.end({ timeout: 1 })
  return answered
}
