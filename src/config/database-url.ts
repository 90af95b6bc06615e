import { resolve } from 'node:path'
import { optional, setting } from './setting.ts'

/** The address of a database; `file` is the absolute path of a SQLite file. */
export interface DatabaseAddress {
  readonly kind: 'sqlite' | 'postgres'
  readonly url: string
  readonly file?: string
}

const databaseAddress = {
  expected: 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/NAME',
  parse: (text: string): DatabaseAddress | undefined => {
    if (text === 'sqlite::memory:') return { kind: 'sqlite', url: text }
    if (/^sqlite:./.test(text)) {
      const file = resolve(text.slice('sqlite:'.length))
      return { kind: 'sqlite', url: `sqlite:${file}`, file }
    }
    const isPostgres = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    return isPostgres ? { kind: 'postgres', url: text } : undefined
  },
}

/** The DATABASE_URL setting. */
export const databaseUrl = setting(
  'DATABASE_URL',
  {
    defaultText: 'sqlite:data/cartwright.db',
    description: 'The database. A missing SQLite file, its folder and the tables are created.',
    secret: true,
  },
  databaseAddress,
)

const postgresAddress = {
  expected: 'postgres://USER:PASSWORD@HOST:PORT/NAME',
  parse: (text: string): DatabaseAddress | undefined => {
    const address = databaseAddress.parse(text)
    return address?.kind === 'postgres' ? address : undefined
  },
}

/** The DATABASE_DIRECT_URL setting. */
export const databaseDirectUrl = optional(
  'DATABASE_DIRECT_URL',
  {
    description:
      'The address of PostgreSQL itself where DATABASE_URL is that of a connection pooler in transaction mode, such as PgBouncer. Notifications, migrate, backup and restore use it.',
    secret: true,
  },
  postgresAddress,
)

/** The DATABASE_REPLICA_URL setting. */
export const databaseReplicaUrl = optional(
  'DATABASE_REPLICA_URL',
  {
    description:
      'A read replica of DATABASE_URL by streaming replication. GET, HEAD and QUERY read from it whenever it has every change that was committed before the request. Default: none.',
    secret: true,
  },
  postgresAddress,
)
