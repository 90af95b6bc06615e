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

/** Says why tests cannot start a PostgreSQL of their own, or false where they can. */
export const ownPostgresSkipReason = (): string | false =>
  process.env[variable] === undefined &&
  `An outage of PostgreSQL is not tested: ${variable} is not set`

/** A PostgreSQL of a test's own, to be stopped and killed. */
export interface OwnPostgres {
  readonly url: string
  /** Starts it and resolves once it answers. */
  readonly start: () => Promise<void>
  /** Ends it as `systemctl restart` would (SIGINT), or as a crash would (SIGKILL). */
  readonly stop: (signal?: 'SIGINT' | 'SIGKILL') => Promise<void>
  /** Runs a statement apart from any server under test. */
  readonly ask: (statement: string) => Promise<readonly postgres.Row[]>
  readonly dispose: () => Promise<void>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT')
})

/** Makes an empty PostgreSQL on a port that stays free while it is down, and starts it. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = dirname(process.env[variable] ?? '')
  // Not below a private temporary folder: another user has to come in.
  const folder = await mkdtemp('/tmp/cartwright-postgres-')
  const owner = await findOwner()
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid)
  const data = join(folder, 'data')
  const words = ['--pgdata', data, '--username=postgres', '--auth=trust', '--no-sync']
  await run(join(programs, 'initdb'), [...words, '--encoding=UTF8', '--locale=C'], {
    ...owner,
    cwd: folder,
  })
  const port = await findLastingPort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'max_connections=100'].concat(
    `unix_socket_directories=${folder}`,
  )
  let child: ChildProcess | undefined
  const ask: OwnPostgres['ask'] = async (statement) => {
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
    while (!(await answers(ask))) await sleep(20)
  }
  const stop: OwnPostgres['stop'] = async (signal = 'SIGINT') => {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'close')
    ending.kill(signal)
    await gone
    running.delete(ending)
  }
  await start()
  return {
    url,
    start,
    stop,
    ask,
    dispose: async () => {
      await stop('SIGINT')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const answers = (ask: OwnPostgres['ask']): Promise<boolean> =>
  ask('select 1').then(
    () => true,
    () => false,
  )

/** PostgreSQL refuses to be run by root, so there it is run by the user that its package made. */
async function findOwner(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (userInfo().uid !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}
