import { type Kysely, sql } from 'kysely'
import { changeCondition } from './counter.ts'
import { dialectOf } from './query/dialect.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/**
 * A log that triggers keep of the changes of a table, for those who keep a copy of some columns: for each row, the
 * number of its last change. It has as many rows as the table and needs no cleaning up.
 */
export interface ChangeLog {
  readonly table: string
  /** The table of the log, with the ID of a row and its `change`. */
  readonly logTable: string
  /** The columns whose updates count as changes. */
  readonly columns: readonly string[]
}

/** Declares the log that a table keeps of its changes. */
export const changeLog = <const L extends ChangeLog>(log: L): L => log

/** The columns of a log. */
export interface ChangeLogColumns {
  id: number
  change: number
}

const run = (db: Db, text: string) => sql.raw(text).execute(db)

/** Creates the table of a log and the triggers that write to it in the transaction of the change. */
export async function createChangeLog(db: Db, log: ChangeLog): Promise<void> {
  const { logTable } = log
  const isSqlite = dialectOf(db) === 'sqlite'
  const type = isSqlite ? 'integer' : 'bigint'
  await run(
    db,
    `create table ${logTable} (id ${type} primary key, change ${type} not null)${isSqlite ? ' strict' : ''}`,
  )
  await run(db, `create index ${logTable}_change_id_index on ${logTable} (change, id)`)
  await (isSqlite ? createOnSqlite(db, log) : createOnPostgres(db, log))
}

/** SQLite has one writer, so that changes are numbered in the order of their commits. */
async function createOnSqlite(db: Db, { table, logTable, columns }: ChangeLog): Promise<void> {
  const trigger = (name: string, event: string, body: string) =>
    run(db, `create trigger ${logTable}_${name} after ${event} begin ${body} end`)
  const next = `(select coalesce(max(change), 0) + 1 from ${logTable})`
  const note = (row: string) => `update ${logTable} set change = ${next} where id = ${row}.id;`
  const add = `insert into ${logTable} select new.id, ${next}
    where not exists (select 1 from ${logTable} where id = new.id);`
  await trigger('insert', `insert on ${table}`, note('new') + add)
  await trigger('delete', `delete on ${table}`, note('old'))
  const when = changeCondition({ columns }, 'is not')
  await trigger('update', `update of ${columns.join(', ')} on ${table} when ${when}`, note('new'))
}

/** On PostgreSQL, the number of a change is that of its transaction. */
async function createOnPostgres(db: Db, { table, logTable, columns }: ChangeLog): Promise<void> {
  const upsert = (rows: string) =>
    `insert into ${logTable} select id, pg_current_xact_id()::text::bigint from ${rows}
      on conflict (id) do update set change = excluded.change`
  const trigger = async (name: string, when: string, rows: string) => {
    await run(
      db,
      `create function ${logTable}_${name}() returns trigger language plpgsql as $body$ begin
        ${upsert(rows)}; return null; end $body$`,
    )
    await run(
      db,
      `create trigger ${logTable}_${name} after ${when} execute function ${logTable}_${name}()`,
    )
  }
  const added = `insert on ${table} referencing new table as added for each statement`
  await trigger('insert', added, 'added')
  await trigger('delete', `delete on ${table} for each row`, '(select old.id) as gone')
  const when = changeCondition({ columns }, 'is distinct from')
  await trigger(
    'update',
    `update on ${table} for each row when (${when})`,
    '(select new.id) as changed',
  )
}

/** What is to be read of a log: the changes from one number on, before another. */
export interface ChangeBounds {
  /** From where the log is read the next time, so that nothing is missed. */
  readonly next: number
  readonly before: number
}

/**
 * Returns the bounds of what has changed until now. On PostgreSQL, transactions in progress are below `before`, and are
 * read again from `next` on. What a dump of another server has brought along is above, as its transactions have other
 * numbers.
 */
export async function readBounds(db: Db, { logTable }: ChangeLog): Promise<ChangeBounds> {
  const { rows } = await (dialectOf(db) === 'sqlite'
    ? sql<ChangeBounds>`select coalesce(max(change), 0) + 1 as next,
        coalesce(max(change), 0) + 1 as before from ${sql.table(logTable)}`
    : sql<ChangeBounds>`select pg_snapshot_xmin(now)::text::bigint as next,
        pg_snapshot_xmax(now)::text::bigint as before from pg_current_snapshot() as now`
  ).execute(db)
  return rows[0] ?? { next: 0, before: 0 }
}

/** Yields the IDs of the rows that have changed within the bounds, some at a time. */
export async function* readChanges(
  db: Db,
  { logTable }: ChangeLog,
  {
    from,
    before,
    atOnce,
  }: { readonly from: number; readonly before: number; readonly atOnce: number },
): AsyncGenerator<readonly number[]> {
  let last: ChangeLogColumns = { change: from, id: 0 }
  while (last.change < before) {
    const { rows } = await sql<ChangeLogColumns>`select id, change from ${sql.table(logTable)}
      where (change, id) > (${last.change}, ${last.id}) and change < ${before}
      order by change, id limit ${sql.lit(atOnce)}`.execute(db)
    if (rows.length > 0) yield rows.map(({ id }) => id)
    const end = rows.at(-1)
    if (end === undefined || rows.length < atOnce) return
    last = end
  }
}
