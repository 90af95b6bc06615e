import { resolve } from 'node:path'
import { parseHostList } from '#values/host-list.ts'
import { optional, setting } from './setting.ts'

/** The address of a database; `file` is the absolute path of a SQLite file. */
export interface DatabaseAddress {
  readonly kind: 'sqlite' | 'postgres'
  readonly url: string
  readonly file?: string
}

const databaseAddress = {
  expected:
    'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/NAME; of HOST:PORT,HOST:PORT the one that takes writes is used',
  parse: (text: string): DatabaseAddress | undefined => {
    if (text === 'sqlite::memory:') return { kind: 'sqlite', url: text }
    if (/^sqlite:./.test(text)) {
      const file = resolve(text.slice('sqlite:'.length))
      return { kind: 'sqlite', url: `sqlite:${file}`, file }
    }
    const list = parseHostList(text)
    if (list === undefined) return undefined
    if (list.all.length === 1) return { kind: 'postgres', url: text }
    // Programs of PostgreSQL, and the driver, choose the host by this parameter.
    const wanted = list.first.searchParams.get(attributes)
    if (wanted === null) return { kind: 'postgres', url: withParameter(text, 'read-write') }
    return /^(read-write|primary)$/.test(wanted) ? { kind: 'postgres', url: text } : undefined
  },
}

const attributes = 'target_session_attrs'

const withParameter = (url: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${attributes}=${value}`

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

const replicaAddress = {
  ...postgresAddress,
  parse: (text: string): DatabaseAddress | undefined =>
    parseHostList(text)?.all.length === 1 ? postgresAddress.parse(text) : undefined,
}

/** The DATABASE_REPLICA_URL setting. */
export const databaseReplicaUrl = optional(
  'DATABASE_REPLICA_URL',
  {
    description:
      'A read replica of DATABASE_URL by streaming replication. GET, HEAD and QUERY read from it whenever it has every change that was committed before the request. Default: none.',
    secret: true,
  },
  replicaAddress,
)
