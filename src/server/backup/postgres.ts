import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { StartError } from '#src/server/start-error.ts'
import { hostProcesses } from '#store/own-tables.ts'
import { PostgresClient } from '#store/postgres/client.ts'
import { parseHostList } from '#values/host-list.ts'

/** Drops the tables, sequences and functions of the schema that no extension owns. */
const dropStatements = `
set local client_min_messages = warning;
do $$
declare statement text;
begin
  foreach statement in array array(
    select format('drop table if exists %I.%I cascade', schemaname, tablename)
      from pg_tables where schemaname = current_schema()
    union all
    select format('drop sequence if exists %I.%I cascade', schemaname, sequencename)
      from pg_sequences where schemaname = current_schema()
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure)
      from pg_proc where pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  ) loop
    execute statement;
  end loop;
end $$;
`

/** Writes a consistent archive of a database with `pg_dump`, while others write to it. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`]
  // The processes that run now do not serve the copy.
  await run('pg_dump', url, [...options, `--exclude-table-data=${hostProcesses.declaration.table}`])
}

/**
 * Replaces the content of a database by an archive in one transaction: on any error it stays as it
 * was. Throws a StartError.
 */
export async function loadDatabase(url: string, file: string): Promise<void> {
  const psql = start('psql', url, ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1'])
  const reader = start('pg_restore', undefined, ['--no-owner', '--no-privileges', '--file=-', file])
  psql.child.stdin.write(`begin;\n${dropStatements}`)
  const piped = pipeline(reader.child.stdout, psql.child.stdin, { end: false })
  // Without a commit, the end of the input rolls everything back.
  const read = await Promise.allSettled([reader.ended, piped])
  const isRead = read.every(({ status }) => status === 'fulfilled')
  psql.child.stdin.end(isRead ? '\ncommit;\nanalyze;\n' : '')
  await psql.ended
  await Promise.all([reader.ended, piped])
}

/** Whether a database has tables, and whether a server is connected to it. */
export async function inspectDatabase(
  url: string,
): Promise<{ readonly isEmpty: boolean; readonly isInUse: boolean }> {
  const client = new PostgresClient(url, 0)
  try {
    const { rows } = await client.query<{ readonly tables: number; readonly servers: number }>(
      `select
        (select count(*) from pg_tables where schemaname = current_schema()) as tables,
        (select count(*) from pg_stat_activity where datname = current_database()
          and application_name = 'cartwright' and pid <> pg_backend_pid()) as servers`,
      [],
    )
    const [found] = rows
    return { isEmpty: found?.tables === 0, isInUse: (found?.servers ?? 0) > 0 }
  } finally {
    await client.close()
  }
}

interface Program {
  readonly child: ReturnType<typeof spawnProgram>
  /** Rejects with a StartError when the program fails. */
  readonly ended: Promise<void>
}

const spawnProgram = (name: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawn(name, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })

/** Starts a program of PostgreSQL; the password is not among its arguments, which others can see. */
function start(name: string, url: string | undefined, args: readonly string[]): Program {
  const { address, password } = splitPassword(url)
  const child = spawnProgram(name, [...args, ...address], { ...process.env, ...password })
  // A program that ends early closes its input.
  child.stdin.on('error', () => undefined)
  const ended = waitFor(name, child)
  ended.catch(() => undefined)
  return { child, ended }
}

async function waitFor(name: string, child: Program['child']): Promise<void> {
  const messages = text(child.stderr)
  try {
    const [code] = await once(child, 'close')
    if (code !== 0) throw new StartError(`${name} failed: ${(await messages).trim()}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new StartError(`${name} was not found: install the client programs of PostgreSQL`)
  }
}

async function run(name: string, url: string, args: readonly string[]): Promise<void> {
  const { child, ended } = start(name, url, args)
  child.stdin.end()
  child.stdout.resume()
  await ended
}

function splitPassword(url: string | undefined) {
  if (url === undefined) return { address: [], password: {} }
  const { first, withoutPassword } = parseHostList(url) ?? {}
  const password = decodeURIComponent(first?.password ?? '')
  return {
    address: [`--dbname=${withoutPassword}`],
    password: password === '' ? {} : { PGPASSWORD: password },
  }
}
