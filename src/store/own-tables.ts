import { type ColumnsOf, integer, text } from './columns.ts'
import { table } from './table.ts'

/** A migration that has run. */
export const migrations = table('migrations', {
  columns: {
    name: text,
    run_at: integer,
  },
  key: ['name'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

/** A named value that the server keeps across restarts. */
export const settings = table('settings', {
  columns: {
    name: text,
    value: text,
  },
  key: ['name'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    migrations: ColumnsOf<(typeof migrations)['schemas']>
    settings: ColumnsOf<(typeof settings)['schemas']>
  }
}
