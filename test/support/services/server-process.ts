import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server process, as `npm start` starts it. */
export interface ServerProcess {
  readonly process: ChildProcess
  /** Resolves to its URL once it listens; rejects with its output if it ends first. */
  readonly url: Promise<string>
  /** Its output so far. */
  readonly output: () => string
  /** Resolves to its exit code once it has ended and its output has been read. */
  readonly ended: Promise<number | null>
  /** Sends SIGTERM and resolves to its exit code. */
  readonly stop: () => Promise<number | null>
}

/** What a child process takes from the environment: the PATH, and the compile cache that `npm start` sets too. */
export const inheritedEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

interface StartOptions {
  readonly file?: 'main.ts' | 'cli/migrate.ts'
  /** The files that the process may have open; those of this process by default. */
  readonly openFiles?: number
}

/** Starts `src/main.ts` or another entry file in `folder`, with only the inherited and these environment variables. */
export function start(
  folder: string,
  env: Readonly<Record<string, string>>,
  { file = 'main.ts', openFiles }: StartOptions = {},
): ServerProcess {
  const entry = fileURLToPath(new URL(`../../../src/${file}`, import.meta.url))
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, entry], {
    cwd: folder,
    env: { ...inheritedEnvironment, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const listening = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, port] = /"port":(\d+),"msg":"ready"/.exec(output) ?? []
      if (port !== undefined) listening.resolve(`http://127.0.0.1:${port}`)
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    listening.reject(new Error(`the server ended with ${code}:\n${output}`))
    return code as number | null
  })
  // A caller that never reads `url` must not cause an unhandled rejection.
  listening.promise.catch(() => undefined)
  return {
    process: child,
    url: listening.promise,
    output: () => output,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
