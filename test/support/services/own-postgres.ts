import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { freePort } from './ports.ts'
import { findServerUser } from './server-user.ts'

const run = promisify(execFile)
const variable = 'TEST_POSTGRES_SERVER'

/** The reason why tests cannot start a PostgreSQL server, or false: a value for `skip`. */
export const ownPostgresSkipReason = (): string | false =>
  process.env[variable] === undefined &&
  `An outage of PostgreSQL is not tested: ${variable} is not set`

/** A PostgreSQL server of one test, which may stop and kill it. */
export interface OwnPostgres {
  readonly url: string
  /** Starts the server and resolves once it answers. */
  readonly start: () => Promise<void>
  /** Ends the server: SIGINT as `systemctl restart` does, SIGKILL as in a crash. */
  readonly stop: (signal?: 'SIGINT' | 'SIGKILL') => Promise<void>
  /** Runs a statement on a connection of its own. */
  readonly query: (statement: string) => Promise<readonly postgres.Row[]>
  readonly dispose: () => Promise<void>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT')
})

// A server that loses everything in a power cut creates a database ten times as fast.
const fastSettings = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // It would begin, or not, while a test compares plans: after a minute, which only a busy machine takes.
  'autovacuum=off',
]

/** Starts an empty PostgreSQL server for tests in which no server crashes: it keeps nothing in a power cut. */
export const startFastPostgres = (program: string): Promise<OwnPostgres> =>
  startServer(program, { settings: fastSettings })

/**
 * Creates and starts a PostgreSQL server on a port that stays free while it is down: an empty one, or a standby
 * that replicates the server of a URL.
 */
export const startOwnPostgres = (primaryUrl?: string): Promise<OwnPostgres> =>
  startServer(process.env[variable] ?? '', { primaryUrl })

interface ServerOptions {
  readonly settings?: readonly string[]
  readonly primaryUrl?: string | undefined
}

async function startServer(
  program: string,
  { settings = [], primaryUrl }: ServerOptions,
): Promise<OwnPostgres> {
  const programs = dirname(realpathSync(program))
  // The temporary folder may be private, and the user of PostgreSQL needs access.
  const folder = await mkdtemp('/tmp/cartwright-postgres-')
  const owner = await findServerUser()
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid)
  const data = join(folder, 'data')
  const [creator, args] =
    primaryUrl === undefined
      ? ['initdb', ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']]
      : ['pg_basebackup', ['--write-recovery-conf', '--checkpoint=fast', `--dbname=${primaryUrl}`]]
  await run(join(programs, creator), [...args, '--pgdata', data, '--no-sync'], {
    ...owner,
    cwd: folder,
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'max_connections=100',
    `unix_socket_directories=${folder}`,
    ...settings,
  ].flatMap((option) => ['-c', option])
  let child: ChildProcess | undefined
  const query: OwnPostgres['query'] = async (statement) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined, backoff: () => 0 })
    return await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }))
  }
  const start = async () => {
    child = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    })
    running.add(child)
    while (!(await answers(query))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      await sleep(20)
    }
  }
  const stop: OwnPostgres['stop'] = async (signal = 'SIGINT') => {
    const current = child
    if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
    const closed = once(current, 'close')
    current.kill(signal)
    await closed
    running.delete(current)
  }
  await start()
  return {
    url,
    start,
    stop,
    query,
    dispose: async () => {
      await stop('SIGINT')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const answers = (query: OwnPostgres['query']): Promise<boolean> =>
  query('select 1').then(
    () => true,
    () => false,
  )
