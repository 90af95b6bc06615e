import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './connection.ts'

/** A statement for a thread. */
export interface ThreadRead {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** What became of a statement: its rows, or the error with what a copy of it would lose. */
export type ThreadOutcome =
  | { readonly rows: readonly unknown[] }
  | {
      readonly error: {
        readonly message: string
        readonly code: unknown
        readonly errcode: unknown
      }
    }

/** Runs the statements that arrive, one after the other, and posts their outcomes in the same order. */
function serve(port: NonNullable<typeof parentPort>): void {
  const connection = new SqliteConnection(String(workerData), { readOnly: true })
  const run = ({ sql, parameters }: ThreadRead): ThreadOutcome => {
    try {
      return { rows: connection.execute(sql, parameters).rows }
    } catch (error) {
      const { message, code, errcode } = error as Error & Record<string, unknown>
      return { error: { message, code, errcode } }
    }
  }
  port.on('message', (read: ThreadRead) => port.postMessage(run(read)))
}

if (parentPort) serve(parentPort)
