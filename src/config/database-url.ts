import { resolve } from 'node:path'
import { setting } from './setting.ts'

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
