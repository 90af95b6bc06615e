import { type Kysely, sql } from 'kysely'
import { dialectOf } from '#db/query/dialect.ts'
import type { Tables } from '#db/tables/tables.ts'

/** One counter that a row is counted in: the key of the counter, and which rows have one. */
interface Counter {
  /** The values of the key, of the row named `row`; SQL. */
  readonly key: (row: string) => readonly string[]
  /** Which of the counted rows have this counter; SQL. */
  readonly only?: (row: string) => string
}

/** What is counted, and where the counts are kept. */
export interface CounterDefinition {
  readonly table: keyof Tables
  /** The table of the counts: the columns of the key, then `number`. */
  readonly counts: keyof Tables
  readonly key: Readonly<Record<string, 'integer' | 'text'>>
  /** Which rows are counted at all; SQL. */
  readonly only?: (row: string) => string
  /** The columns that all of this is read from, so that other changes cost nothing. */
  readonly watched: readonly string[]
  readonly counters: readonly Counter[]
}

const run = (db: Kysely<Tables>, text: string) => sql.raw(text).execute(db)

const everyRow = (): string => 'true'

function conditionOf(
  { only = everyRow }: CounterDefinition,
  counter: Counter,
  row: string,
): string {
  return `(${only(row)}) and (${(counter.only ?? everyRow)(row)})`
}

/** True where one of the watched columns has another value than before; SQL. */
const hasChanged = ({ watched }: CounterDefinition, differs: string): string =>
  watched.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')

/**
 * Keeps the counts of a table in the transaction of every change to it, whoever makes it, beginning
 * with the rows there are.
 */
export async function createCounter(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  const columns = Object.keys(counterDefinition.key).join(', ')
  if (dialectOf(db) === 'sqlite') await createOnSqlite(db, counterDefinition)
  else await createOnPostgres(db, counterDefinition)
  for (const counter of counterDefinition.counters) {
    const key = counter.key(counterDefinition.table).join(', ')
    await run(
      db,
      `insert into ${counterDefinition.counts} (${columns}, number)
        select ${key}, count(*) from ${counterDefinition.table}
        where ${conditionOf(counterDefinition, counter, counterDefinition.table)}
        group by ${counter.key(counterDefinition.table).map((_, place) => place + 1)}`,
    )
  }
}

/** One writer at a time: a counter is one row. */
async function createOnSqlite(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  const { counts, key } = counterDefinition
  const columns = Object.keys(key)
  const definitions = Object.entries(key).map(([name, type]) => `${name} ${type} not null`)
  await run(
    db,
    `create table ${counts} (${definitions.join(', ')}, number integer not null,
      primary key (${columns.join(', ')})) strict, without rowid`,
  )
  await triggerOnSqlite(db, counterDefinition)
}

/** Makes the triggers of a tally anew; does nothing on PostgreSQL. */
export async function renewSqliteTriggers(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return
  const places = [...counterDefinition.counters.keys()]
  const making = places.flatMap((place) => [`insert_${place}`, `update_${place}`])
  for (const name of ['insert', 'delete', 'update', ...making]) {
    await run(db, `drop trigger if exists ${counterDefinition.table}_tally_${name}`)
  }
  await triggerOnSqlite(db, counterDefinition)
}

async function triggerOnSqlite(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  const { table, watched, counters } = counterDefinition
  const trigger = (name: string, event: string, body: string) =>
    run(db, `create trigger ${table}_tally_${name} ${event} begin ${body} end`)
  const insertion = `insert on ${table}`
  const change = `update of ${watched.join(', ')} on ${table}`
  const when = hasChanged(counterDefinition, 'is not')
  for (const [place, counter] of counters.entries()) {
    const { isMissing, make } = makingOnSqlite(counterDefinition, counter)
    await trigger(`insert_${place}`, `before ${insertion} when ${isMissing}`, make)
    await trigger(`update_${place}`, `before ${change} when (${when}) and ${isMissing}`, make)
  }
  const [add, subtract] = [
    addOnSqlite(counterDefinition, 'new', '+'),
    addOnSqlite(counterDefinition, 'old', '-'),
  ]
  await trigger('insert', `after ${insertion}`, add)
  await trigger('delete', `after delete on ${table}`, subtract)
  await trigger('update', `after ${change} when ${when}`, subtract + add)
}

const isCounter = ({ key }: CounterDefinition, counter: Counter, row: string): string => {
  const values = counter.key(row)
  return Object.keys(key)
    .map((column, place) => `${column} = ${values[place]}`)
    .join(' and ')
}

/**
 * How a counter is made before the first row that it counts. A trigger of its own, and not an upsert
 * where rows are counted: before that SQLite copies each page which the statement may change.
 */
function makingOnSqlite(counterDefinition: CounterDefinition, counter: Counter) {
  const { counts } = counterDefinition
  const isThis = isCounter(counterDefinition, counter, 'new')
  return {
    isMissing: `${conditionOf(counterDefinition, counter, 'new')}
      and not exists (select 1 from ${counts} where ${isThis})`,
    make: `insert into ${counts} values (${counter.key('new').join(', ')}, 0);`,
  }
}

function addOnSqlite(counterDefinition: CounterDefinition, row: string, sign: '+' | '-'): string {
  const { counts, counters } = counterDefinition
  return counters
    .map(
      (counter) => `update ${counts} set number = number ${sign} 1
        where ${isCounter(counterDefinition, counter, row)} and ${conditionOf(counterDefinition, counter, row)};`,
    )
    .join('\n')
}

/**
 * A counter is the sum of some rows, of which a transaction changes one that no other is changing,
 * or adds one: so nobody waits, and there are as many as there were transactions at once.
 */
async function createOnPostgres(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  const { counts, key } = counterDefinition
  const names = Object.keys(key)
  const types = Object.values(key).map((type) => (type === 'text' ? 'text' : 'bigint'))
  const collated = types.map((type) => (type === 'text' ? 'text collate "C"' : type))
  const definitions = names.map((name, place) => `${name} ${collated[place]} not null`)
  await run(
    db,
    `create table ${counts} (slot bigint generated always as identity primary key,
      ${definitions.join(', ')}, number bigint not null)`,
  )
  await run(db, `create index ${counts}_key_index on ${counts} (${names.join(', ')})`)
  const isThis = names.map((name, place) => `${name} = $${place + 1}`).join(' and ')
  const change = `$${names.length + 1}`
  await run(
    db,
    `create function add_to_${counts}(${[...types, 'bigint'].join(', ')}) returns void
      language plpgsql as $body$ begin
        update ${counts} set number = number + ${change} where slot = (
          select slot from ${counts} where ${isThis} limit 1 for update skip locked);
        if not found then
          insert into ${counts} (${names.join(', ')}, number)
            values (${names.map((_, place) => `$${place + 1}`).join(', ')}, ${change});
        end if;
      end $body$`,
  )
  await triggerOnInsert(db, counterDefinition)
  await triggerOnChange(db, counterDefinition)
}

/** Many rows inserted together are counted together. */
async function triggerOnInsert(
  db: Kysely<Tables>,
  { table, counts, key, counters, ...counterDefinition }: CounterDefinition,
): Promise<void> {
  const whole = { table, counts, key, counters, ...counterDefinition }
  const names = Object.keys(key)
  const added = counters.map((counter) => {
    const values = counter.key('added').map((value, place) => `${value} as ${names[place]}`)
    return `select ${values.join(', ')} from added where ${conditionOf(whole, counter, 'added')}`
  })
  await run(
    db,
    `create function ${table}_tally_insert() returns trigger language plpgsql as $body$
      declare change record;
      begin
        for change in select ${names.join(', ')}, count(*) as number
          from (${added.join(' union all ')}) as counted group by ${names.join(', ')}
        loop
          perform add_to_${counts}(${[...names, 'number'].map((name) => `change.${name}`).join(', ')});
        end loop;
        return null;
      end $body$`,
  )
  await run(
    db,
    `create trigger ${table}_tally_insert after insert on ${table}
      referencing new table as added for each statement
      execute function ${table}_tally_insert()`,
  )
}

async function triggerOnChange(
  db: Kysely<Tables>,
  counterDefinition: CounterDefinition,
): Promise<void> {
  const { table, counts, counters } = counterDefinition
  const add = (row: string, change: 1 | -1): string =>
    counters
      .map(
        (counter) => `if ${conditionOf(counterDefinition, counter, row)} then
          perform add_to_${counts}(${[...counter.key(row), change].join(', ')});
        end if;`,
      )
      .join('\n')
  await run(
    db,
    `create function ${table}_tally_change() returns trigger language plpgsql as $body$ begin
      ${add('old', -1)}
      if tg_op = 'UPDATE' then ${add('new', 1)} end if;
      return null;
    end $body$`,
  )
  const trigger = (name: string, event: string) =>
    run(
      db,
      `create trigger ${table}_tally_${name} after ${event} execute function ${table}_tally_change()`,
    )
  await trigger('delete', `delete on ${table} for each row`)
  await trigger(
    'update',
    `update on ${table} for each row when (${hasChanged(counterDefinition, 'is distinct from')})`,
  )
}
