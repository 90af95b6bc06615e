import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { findLastingPort } from './server.ts'

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

/** Creates and starts an empty PostgreSQL server on a port that stays free while it is down. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = dirname(process.env[variable] ?? '')
  // The temporary folder may be private, and the user of PostgreSQL needs access.
  const folder = await mkdtemp('/tmp/cartwright-postgres-')
  const owner = await findOwner()
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid)
  const data = join(folder, 'data')
  const initArguments = ['--pgdata', data, '--username=postgres', '--auth=trust', '--no-sync']
  await run(join(programs, 'initdb'), [...initArguments, '--encoding=UTF8', '--locale=C'], {
    ...owner,
    cwd: folder,
  })
  const port = await findLastingPort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'max_connections=100'].concat(
    `unix_socket_directories=${folder}`,
  )
  let child: ChildProcess | undefined
  const query: OwnPostgres['query'] = async (statement) => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined, backoff: () => 0 })
    return await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }))
  }
  const start = async () => {
    const settings = options.flatMap((option) => ['-c', option])
    child = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    })
    running.add(child)
    while (!(await answers(query))) await sleep(20)
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

// PostgreSQL rejects to run as root, so root runs it as the user `postgres` of its package.
async function findOwner(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (userInfo().uid !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}
