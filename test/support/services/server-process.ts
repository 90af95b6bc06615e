import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own, as `npm start` starts it. */
export interface Started {
  readonly process: ChildProcess
  /** Where it listens, once it does; rejects with all it said where it ends first. */
  readonly url: Promise<string>
  /** Everything it has said. */
  readonly output: () => string
  /** Resolves to its exit code once it has ended and all it said has been read. */
  readonly ended: Promise<number | null>
  /** Asks it to end and resolves to its exit code. */
  readonly stop: () => Promise<number | null>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `src/main.ts`, or another file beside it, in `folder` with only these variables. */
export function start(
  folder: string,
  env: Readonly<Record<string, string>>,
  file: 'main.ts' | 'cli/migrate.ts' = 'main.ts',
): Started {
  const entry = fileURLToPath(new URL(`../../../src/${file}`, import.meta.url))
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  const listening = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, port] = /"port":(\d+),"msg":"ready"/.exec(said) ?? []
      if (port !== undefined) listening.resolve(`http://127.0.0.1:${port}`)
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    listening.reject(new Error(`the server ended with ${code}:\n${said}`))
    return code as number | null
  })
  // Whoever does not ask where it listens does not wait for it either.
  listening.promise.catch(() => undefined)
  return {
    process: child,
    url: listening.promise,
    output: () => said,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
