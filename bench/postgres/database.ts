import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import type { Figures } from '../figures.ts'
import { endedChildrenCpuSeconds } from '../processes.ts'
import { disposable } from '../server.ts'

/** So many that its start is a small part of them. */
const transactions = 1000

/** Creates a database on the server of `url`; disposing of it drops it. */
export async function createDatabase(
  url: string,
  name: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  await execute(url, `create database ${name}`)
  const created = new URL(url)
  created.pathname = `/${name}`
  const drop = () => execute(url, `drop database if exists ${name} with (force)`)
  return { url: created.href, ...disposable(drop) }
}

/** Executes commands without parameters. */
export async function execute(url: string, commands: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(commands)
  } finally {
    await sql.end()
  }
}

/** Returns why no database can be created there; undefined where one can. */
export async function databaseSkipReason(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return 'the address of PostgreSQL is no URL'
  const { username, host, pathname } = new URL(url)
  const place = `PostgreSQL at ${host}${pathname}`
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const [role] = await sql`
      select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`
    return role?.['may'] === true ? undefined : `${username} may create no database at ${place}`
  } catch (error) {
    // Some errors of connections have a code and no message.
    const { message = '', code = '' } = error as { message?: string; code?: string }
    return `${place} does not answer: ${message || code}`
  } finally {
    await sql.end()
  }
}

/** The note of a report from which the comparisons with pgbench are missing. */
export const withoutPgbench =
  'Left out, since no pgbench can be run, and --pgbench may name one: ' +
  'order of two and add to cart on PostgreSQL beside it.'

/**
 * Finds the pgbench to run: the named one, or else the first of the `PATH` and of the newest
 * PostgreSQL where Debian keeps it; undefined where none can be run.
 */
export function findPgbench(named: string): string | undefined {
  const newestFirst = globSync('/usr/lib/postgresql/*/bin/pgbench').sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  const programs = named === '' ? ['pgbench', ...newestFirst] : [named]
  return programs.find((program) => spawnSync(program, ['--version']).status === 0)
}

/**
 * Runs a script, each transaction of which counts as a request; rejects where one failed. The processor
 * time is that of the program, and includes opening its connections.
 */
export async function runPgbench(
  program: string,
  url: string,
  script: string,
  clients: number,
): Promise<Figures> {
  const each = Math.ceil(transactions / clients)
  const size = ['-c', String(clients), '-j', '1', '-t', String(each)]
  // The name of a database may be a URL.
  const args = ['-n', '-M', 'prepared', '-D', 'turn=0', ...size, '-f', script, url]
  const cpuSecondsBefore = endedChildrenCpuSeconds()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = [text(child.stdout), text(child.stderr), once(child, 'close')] as const
  const [output, errors, [code]] = await Promise.all(ended)
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
  const count = Number(/actually processed: (\d+)/.exec(output)?.[1])
  const isWhole = /number of failed transactions: 0 /.test(output)
  if (code !== 0 || !(perSecond > 0) || !isWhole) {
    throw new Error(`pgbench failed (${code}):\n${errors.slice(0, 2000)}\n${output}`)
  }
  return {
    microsPerRequest: ((endedChildrenCpuSeconds() - cpuSecondsBefore) * 1e6) / count,
    databaseMicrosPerRequest: Number.NaN,
    requestsPerSecond: perSecond,
    iterationsPerSecond: perSecond,
  }
}
