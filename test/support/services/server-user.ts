import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user that runs a server: PostgreSQL and PgBouncer reject root, which runs them as `postgres`. */
export async function findServerUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (userInfo().uid !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}
