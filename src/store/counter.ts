import { type Kysely, sql } from 'kysely'
import { dialectOf } from './query/dialect.ts'
import type { Tables } from './tables.ts'

/** A counter to which a row may belong. */
interface Counter {
  /** The SQL values of the counter's key for the row with this alias. */
  readonly key: (row: string) => readonly string[]
  /** The SQL condition on which the row belongs to it; by default every row does. */
  readonly where?: (row: string) => string
}

/** The counters of a table, which triggers maintain in a table of counts. */
export interface CounterDefinition {
  readonly table: string
  /** The table of the counts, with the columns of the key and `number`. */
  readonly countTable: string
  readonly key: Readonly<Record<string, 'integer' | 'text'>>
  /** The SQL condition on which a row is counted; by default every row is. */
  readonly where?: (row: string) => string
  /** The columns that the keys and conditions read; updates of others change no count. */
  readonly columns: readonly string[]
  readonly counters: readonly Counter[]
  /** The beginning of the names of its triggers; by default one that follows from the table. */
  readonly triggers?: string
}

/** Declares the counts that a table keeps of the rows of another. */
export const counter = <const D extends CounterDefinition>(definition: D): D => definition

/** The columns of a table of counts. Several rows may share a key, and the count is their sum. */
export type CountColumns<D extends CounterDefinition> = {
  [K in keyof D['key']]: D['key'][K] extends 'integer' ? number : string
} & { number: number }

/** The beginning of the names of the triggers of a definition. */
const triggersOf = ({ table, triggers = `${table}_tally` }: CounterDefinition): string => triggers

const run = (db: Kysely<Tables>, text: string) => sql.raw(text).execute(db)

const everyRow = (): string => 'true'

function conditionOf(
  { where = everyRow }: CounterDefinition,
  counter: Counter,
  row: string,
): string {
  return `(${where(row)}) and (${(counter.where ?? everyRow)(row)})`
}

/** The SQL condition on which an update changes a relevant column. */
export const changeCondition = (
  { columns }: Pick<CounterDefinition, 'columns'>,
  differs: string,
): string => columns.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')

/**
 * Creates the count table of a definition and the triggers that maintain it in the transaction of
 * every change.
 */
export const createCounter = (db: Kysely<Tables>, definition: CounterDefinition): Promise<void> =>
  dialectOf(db) === 'sqlite' ? createOnSqlite(db, definition) : createOnPostgres(db, definition)

const pausedSetting = 'cartwright.counts_paused'

/** What a change of many rows does to counts: all rows that are counted under a value get another one. */
interface MovedCounts {
  readonly definitions: readonly CounterDefinition[]
  readonly column: string
  readonly from: string
  readonly to: string
}

/**
 * Runs work that gives all rows of a value another one, and then the counts of that value the other one. On PostgreSQL
 * no trigger counts meanwhile: each count would have a version for each row, all of which the next one reads. The
 * work must lock the rows, and others must not get the value meanwhile.
 */
export async function movingCounts(
  db: Kysely<Tables>,
  { definitions, column, from, to }: MovedCounts,
  work: () => Promise<void>,
): Promise<void> {
  if (dialectOf(db) === 'sqlite') return await work()
  await sql`select set_config(${pausedSetting}, 'on', true)`.execute(db)
  await work()
  await sql`select set_config(${pausedSetting}, 'off', true)`.execute(db)
  for (const { countTable } of definitions) {
    await sql`update ${sql.table(countTable)} set ${sql.ref(column)} = ${to}
      where ${sql.ref(column)} = ${from}`.execute(db)
  }
}

/** On SQLite, which has one writer, a counter is one row. */
async function createOnSqlite(db: Kysely<Tables>, definition: CounterDefinition): Promise<void> {
  const { countTable, key } = definition
  const columns = Object.keys(key)
  const definitions = Object.entries(key).map(([name, type]) => `${name} ${type} not null`)
  await run(
    db,
    `create table ${countTable} (${definitions.join(', ')}, number integer not null,
      primary key (${columns.join(', ')})) strict, without rowid`,
  )
  await createSqliteTriggers(db, definition)
}

/** The types of the key on PostgreSQL. */
const keyTypes = ({ key }: CounterDefinition): readonly string[] =>
  Object.values(key).map((type) => (type === 'text' ? 'text' : 'bigint'))

async function createSqliteTriggers(
  db: Kysely<Tables>,
  definition: CounterDefinition,
): Promise<void> {
  const { table, columns, counters } = definition
  const trigger = (name: string, event: string, body: string) =>
    run(db, `create trigger ${triggersOf(definition)}_${name} ${event} begin ${body} end`)
  const insertion = `insert on ${table}`
  const change = `update of ${columns.join(', ')} on ${table}`
  const when = changeCondition(definition, 'is not')
  for (const [index, counter] of counters.entries()) {
    const { isMissing, insert } = missingRow(definition, counter)
    await trigger(`insert_${index}`, `before ${insertion} when ${isMissing}`, insert)
    await trigger(`update_${index}`, `before ${change} when (${when}) and ${isMissing}`, insert)
  }
  const [add, subtract] = [addOnSqlite(definition, 'new', '+'), addOnSqlite(definition, 'old', '-')]
  await trigger('insert', `after ${insertion}`, add)
  await trigger('delete', `after delete on ${table}`, subtract)
  await trigger('update', `after ${change} when ${when}`, subtract + add)
}

const keyCondition = ({ key }: CounterDefinition, counter: Counter, row: string): string => {
  const values = counter.key(row)
  return Object.keys(key)
    .map((column, index) => `${column} = ${values[index]}`)
    .join(' and ')
}

/**
 * The row of a counter is inserted by a trigger of its own before the first row it counts. An upsert
 * would make SQLite copy each page before the statement changes it.
 */
function missingRow(definition: CounterDefinition, counter: Counter) {
  const { countTable } = definition
  const matchesKey = keyCondition(definition, counter, 'new')
  return {
    isMissing: `${conditionOf(definition, counter, 'new')}
      and not exists (select 1 from ${countTable} where ${matchesKey})`,
    insert: `insert into ${countTable} values (${counter.key('new').join(', ')}, 0);`,
  }
}

function addOnSqlite(definition: CounterDefinition, row: string, sign: '+' | '-'): string {
  const { countTable, counters } = definition
  return counters
    .map(
      (counter) => `update ${countTable} set number = number ${sign} 1
        where ${keyCondition(definition, counter, row)} and ${conditionOf(definition, counter, row)};`,
    )
    .join('\n')
}

/**
 * On PostgreSQL a counter is the sum of several rows. A transaction updates one that no other has
 * locked, or inserts one, so that concurrent transactions do not wait for each other.
 */
async function createOnPostgres(db: Kysely<Tables>, definition: CounterDefinition): Promise<void> {
  const { countTable, key } = definition
  const names = Object.keys(key)
  const types = keyTypes(definition)
  const collated = types.map((type) => (type === 'text' ? 'text collate "C"' : type))
  const definitions = names.map((name, index) => `${name} ${collated[index]} not null`)
  await run(
    db,
    `create table ${countTable} (slot bigint generated always as identity primary key,
      ${definitions.join(', ')}, number bigint not null)`,
  )
  await run(db, `create index ${countTable}_key_index on ${countTable} (${names.join(', ')})`)
  const matchesKey = names.map((name, index) => `${name} = $${index + 1}`).join(' and ')
  const change = `$${names.length + 1}`
  await run(
    db,
    `create function add_to_${countTable}(${[...types, 'bigint'].join(', ')}) returns void
      language plpgsql as $body$ begin
        update ${countTable} set number = number + ${change} where slot = (
          select slot from ${countTable} where ${matchesKey} limit 1 for update skip locked);
        if not found then
          insert into ${countTable} (${names.join(', ')}, number)
            values (${names.map((_, index) => `$${index + 1}`).join(', ')}, ${change});
        end if;
      end $body$`,
  )
  await createInsertTrigger(db, definition)
  await createChangeTriggers(db, definition)
}

/** A statement trigger, so that a statement that inserts many rows updates each counter once. */
async function createInsertTrigger(
  db: Kysely<Tables>,
  definition: CounterDefinition,
): Promise<void> {
  const { table, countTable, key, counters } = definition
  const names = Object.keys(key)
  const added = counters.map((counter) => {
    const values = counter.key('added').map((value, index) => `${value} as ${names[index]}`)
    return `select ${values.join(', ')} from added where ${conditionOf(definition, counter, 'added')}`
  })
  await run(
    db,
    `create function ${triggersOf(definition)}_insert() returns trigger language plpgsql as $body$
      declare change record;
      begin
        for change in select ${names.join(', ')}, count(*) as number
          from (${added.join(' union all ')}) as counted group by ${names.join(', ')}
        loop
          perform add_to_${countTable}(${[...names, 'number'].map((name) => `change.${name}`).join(', ')});
        end loop;
        return null;
      end $body$`,
  )
  await run(
    db,
    `create trigger ${triggersOf(definition)}_insert after insert on ${table}
      referencing new table as added for each statement
      execute function ${triggersOf(definition)}_insert()`,
  )
}

async function createChangeTriggers(
  db: Kysely<Tables>,
  definition: CounterDefinition,
): Promise<void> {
  const { table, countTable, counters } = definition
  const add = (row: string, change: 1 | -1): string =>
    counters
      .map(
        (counter) => `if ${conditionOf(definition, counter, row)} then
          perform add_to_${countTable}(${[...counter.key(row), change].join(', ')});
        end if;`,
      )
      .join('\n')
  await run(
    db,
    `create function ${triggersOf(definition)}_change() returns trigger language plpgsql as $body$ begin
      ${add('old', -1)}
      if tg_op = 'UPDATE' then ${add('new', 1)} end if;
      return null;
    end $body$`,
  )
  const trigger = (name: string, event: string) =>
    run(
      db,
      `create trigger ${triggersOf(definition)}_${name} after ${event}
        execute function ${triggersOf(definition)}_change()`,
    )
  await trigger('delete', `delete on ${table} for each row`)
  await trigger(
    'update',
    `update on ${table} for each row when ((${changeCondition(definition, 'is distinct from')})
      and current_setting('${pausedSetting}', true) is distinct from 'on')`,
  )
}
