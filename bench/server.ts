import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/support/services/ports.ts'
import { backendCpuSeconds, cpuSecondsOf, memoryOf } from './processes.ts'
import { median } from './statistics.ts'

/** A server in a process of its own; disposing of it stops it. */
export interface Server extends AsyncDisposable {
  readonly port: number
  /** From the start of the process to its first 200 of `/health/ready`. */
  readonly readyAfterMs: number
  /** Resident memory now, and at its peak. */
  readonly memoryMegabytes: () => { readonly now: number; readonly peak: number }
  /** Processor time of the process, its threads and its children so far. */
  readonly cpuSeconds: () => number
  /** Processor time of the PostgreSQL processes that work for it so far; 0 on SQLite. */
  readonly databaseCpuSeconds: () => number
  /** Ends the process by SIGKILL. */
  readonly kill: () => Promise<void>
}

/** Where, over which database, and how a server is started. */
export interface ServerOptions {
  /** Folder of the checkout whose `src/main.ts` runs; this project unless another is named. */
  readonly tree?: string
  /** Directory of the log and the database. */
  readonly directory: string
  /** Names the log and, without `url`, the SQLite database. */
  readonly name: string
  readonly url?: string
  /** Options of Node beside those of `npm start`. */
  readonly flags?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

/** The folder of this project. */
export const root = resolve(import.meta.dirname, '..')

/** The administrator that the first start makes. */
export const administrator = { username: 'admin', password: 'bench-administrator' }

const readyWithinMs = 30_000
const pollMs = 2
const startCount = 5
const running = new Set<ChildProcess>()
const cleanups = new Set<() => Promise<void>>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await Promise.allSettled(Array.from(cleanups, (cleanup) => cleanup()))
    process.exit(1)
  })
}

/** Makes a disposable that cleans up even if a signal ends the process. */
export function disposable(cleanup: () => Promise<void>): AsyncDisposable {
  cleanups.add(cleanup)
  return { [Symbol.asyncDispose]: () => cleanup().finally(() => cleanups.delete(cleanup)) }
}

/**
 * Makes a directory for what one run writes; it is removed when the process ends. It lies inside the
 * project, because the machine's temporary directory may be in memory.
 */
export function makeDirectory(name: string): string {
  mkdirSync(resolve(root, '.cache'), { recursive: true })
  const directory = mkdtempSync(resolve(root, `.cache/${name}-`))
  process.once('exit', () => rmSync(directory, { recursive: true, maxRetries: 5 }))
  return directory
}

/** Starts the server as `npm start` does, in one process, without limits or demo data. */
export function startServer(options: ServerOptions): Promise<Server> {
  const { tree = root, directory, name, flags = [], settings } = options
  const { url = `sqlite:${resolve(directory, `${name}.db`)}` } = options
  const { scripts } = JSON.parse(readFileSync(resolve(tree, 'package.json'), 'utf8'))
  const cache = /NODE_COMPILE_CACHE=(\S+)/.exec(scripts.start)?.[1]
  const nodeFlags = [...(scripts.start.match(/--\S+/g) ?? []), ...flags]
  return startProgram(resolve(tree, 'src/main.ts'), directory, name, nodeFlags, {
    ...(cache && { NODE_COMPILE_CACHE: resolve(tree, cache) }),
    DATABASE_URL: url,
    SECRET_KEY: 'of a benchmark, and no secret at all',
    ADMIN_USERNAME: administrator.username,
    ADMIN_PASSWORD: administrator.password,
    DEMO_DATA: 'off',
    RATE_LIMIT: 'off',
    LOGIN_LIMIT: 'off',
    WORKERS: '1',
    LOG_LEVEL: 'warn',
    ...settings,
  })
}

/** Starts a program of `bench/baselines`. */
export const startBaseline = (
  name: string,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<Server> =>
  startProgram(resolve(root, `bench/baselines/${name}.ts`), directory, `${name}-baseline`, [], env)

/** The median of the milliseconds until a server is ready, of some starts. */
export async function medianStart(options: ServerOptions): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < startCount; count += 1) {
    await using server = await startServer(options)
    times.push(server.readyAfterMs)
  }
  return median(times)
}

async function startProgram(
  program: string,
  directory: string,
  name: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Server> {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const logFile = resolve(directory, `${name}.log`)
  const log = openSync(logFile, 'a')
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [...flags, program], {
    cwd: directory,
    stdio: ['ignore', log, log],
    // Nothing else is inherited: a REDIS_URL, for example, would change the results.
    env: { PATH, HOME, NODE_NO_WARNINGS: '1', ...env, PORT: String(port) },
  })
  closeSync(log)
  const { pid = 0 } = child
  running.add(child)
  const exited = once(child, 'exit').then(() => running.delete(child))
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > readyWithinMs) {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start:\n${readFileSync(logFile, 'utf8')}`)
    }
    await wait(pollMs)
  }
  return {
    port,
    readyAfterMs: performance.now() - startedAtMs,
    memoryMegabytes: () => memoryOf(pid),
    cpuSeconds: () => cpuSecondsOf(pid),
    databaseCpuSeconds: () => backendCpuSeconds(env['DATABASE_URL'] ?? ''),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      const timeout = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(timeout)
    },
  }
}

async function isReady(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/health/ready`
  const response = await fetch(url).catch(() => undefined)
  await response?.text()
  return response?.ok === true
}
