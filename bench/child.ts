import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A server in a process of its own. */
export interface Child {
  readonly port: number
  /** From the start of the process to its first 200 of `/health/ready`. */
  readonly readyAfterMs: number
  readonly rssMegabytes: () => number
  /** The most that it ever was, which lasts no longer than a moment perhaps. */
  readonly peakMegabytes: () => number
  /** Processor time that it has taken so far; known on Linux only. */
  readonly processorSeconds: () => number
  /** Sends SIGTERM and resolves once the process has gone; SIGKILL after 10 seconds. */
  readonly stop: () => Promise<void>
}

/** What to run: a TypeScript file, its environment, a log file for what it prints. */
export interface ChildOptions {
  readonly entry: string
  /** Options of Node itself; none by default. */
  readonly flags?: readonly string[]
  readonly directory: string
  readonly log: string
  readonly env: Readonly<Record<string, string>>
}

const readyWithinMs = 30_000
const pollMs = 2
const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The options and the environment that `npm start` gives to Node, of the project at `root`. */
export function asStarted(root: string): Required<Pick<ChildOptions, 'flags' | 'env'>> {
  const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const flags = scripts.start.match(/--\S+/g) ?? []
  const cache = /NODE_COMPILE_CACHE=(\S+)/.exec(scripts.start)?.[1]
  return { flags, env: cache === undefined ? {} : { NODE_COMPILE_CACHE: resolve(root, cache) } }
}

/** Starts a server on a free port and resolves once it is ready; throws with its log if not. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const port = await findFreePort()
  const { PATH = '', HOME = '' } = process.env
  const log = openSync(options.log, 'a')
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [...(options.flags ?? []), options.entry], {
    cwd: options.directory,
    stdio: ['ignore', log, log],
    // Nothing else is inherited: a REDIS_URL of the user's would change what is measured.
    env: { PATH, HOME, NODE_NO_WARNINGS: '1', ...options.env, PORT: String(port) },
  })
  closeSync(log)
  running.add(child)
  const exited = once(child, 'exit').then(() => running.delete(child))
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > readyWithinMs) {
      child.kill('SIGKILL')
      throw new Error(`${options.entry} did not start:\n${readFileSync(options.log, 'utf8')}`)
    }
    await wait(pollMs)
  }
  const readyAfterMs = performance.now() - startedAtMs
  return {
    port,
    readyAfterMs,
    rssMegabytes: () => megabytesOf(child, 'VmRSS'),
    peakMegabytes: () => megabytesOf(child, 'VmHWM'),
    processorSeconds: () => processorTime(child),
    stop,
  }

  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    const giveUp = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(giveUp)
  }
}

/** Uses a server and stops it, whatever became of that. */
export async function stopping<Result>(child: Child, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } finally {
    await child.stop()
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port to listen on')
  return address.port
}

function megabytesOf(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
}

/** Linux counts processor time in ticks of a hundredth of a second. */
const ticksPerSecond = 100

function processorTime(child: ChildProcess): number {
  const text = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  // The name of the process, which may hold anything, ends at the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]]
  return (Number(user) + Number(system)) / ticksPerSecond
}
