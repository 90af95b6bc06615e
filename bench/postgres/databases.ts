import postgres from 'postgres'
import { evenIfEnded } from '../ending.ts'

/** Makes a database on the server of `url`, lets it be used, and drops it. */
export async function withDatabase<Result>(
  url: string,
  name: string,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  await administer(url, `create database ${name}`)
  const made = new URL(url)
  made.pathname = `/${name}`
  return evenIfEnded(
    () => administer(url, `drop database if exists ${name} with (force)`),
    () => use(made.href),
  )
}

/** Has one command carried out. */
export async function administer(url: string, command: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(command)
  } finally {
    await sql.end()
  }
}

/** Why no database can be made there, or nothing where one can. */
export async function databaseSkipReason(url: string): Promise<string | undefined> {
  try {
    const { username, host, pathname } = new URL(url)
    const place = `PostgreSQL at ${host}${pathname}`
    const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
    try {
      const [role] = await sql`
        select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`
      return role?.['may'] === true ? undefined : `${username} may make no database at ${place}`
    } catch (error) {
      return `${place} does not answer: ${reasonOf(error)}`
    } finally {
      await sql.end()
    }
  } catch {
    return 'the address of PostgreSQL is none'
  }
}

/** Some errors of connections have a code and no message. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return message || code || String(error)
}
