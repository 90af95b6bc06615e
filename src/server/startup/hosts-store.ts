import { sql } from 'kysely'
import type { Db, Store } from '#store/database.ts'
import { databaseTime } from './clock-store.ts'

/** A process counts as running for this long after its last sign of life, by the clock of the database. */
export const runningMs = 15_000

/** A process that serves a database, and what it keeps on the disk of its host. */
export interface HostProcess {
  readonly id: string
  readonly host_id: string
  /** The name of the host, for messages. */
  readonly host_name: string
  /** The names of the settings by which something is on its disk. */
  readonly on_disk: readonly string[]
}

/**
 * Records a process with something on its disk, unless processes of other hosts run and one of them or it has.
 * Returns those; of hosts that start at once, one is recorded.
 */
export async function recordHostProcess(
  { transaction }: Pick<Store, 'transaction'>,
  process: HostProcess,
): Promise<readonly HostProcess[]> {
  return await transaction(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('host processes', 0))`.execute(db)
    await db
      .deleteFrom('host_processes')
      .where('seen_at', '<', sql<number>`${databaseTime} - ${sql.lit(runningMs)}`)
      .execute()
    const others = await db
      .selectFrom('host_processes')
      .selectAll()
      .where('host_id', '<>', process.host_id)
      .execute()
    if (others.length === 0 && process.on_disk.length > 0) await noteHostProcess(db, process)
    return others.map((other) => ({ ...other, on_disk: other.on_disk.split(' ') }))
  })
}

/** Notes that a process runs now. */
export async function noteHostProcess(db: Db, { on_disk, ...process }: HostProcess): Promise<void> {
  await db
    .insertInto('host_processes')
    .values({ ...process, on_disk: on_disk.join(' '), seen_at: databaseTime })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: databaseTime }))
    .execute()
}

/** Forgets a process that ends. */
export async function forgetHostProcess(db: Db, { id }: HostProcess): Promise<void> {
  await db.deleteFrom('host_processes').where('id', '=', id).execute()
}
