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

/** The running processes that keep something on the disk of their host. */
export const hostProcesses = table('host_processes', {
  columns: {
    id: text,
    host_id: text,
    host_name: text,
    on_disk: text,
    seen_at: integer,
  },
  key: ['id'],
  owner: null,
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    migrations: ColumnsOf<(typeof migrations)['schemas']>
    settings: ColumnsOf<(typeof settings)['schemas']>
    host_processes: ColumnsOf<(typeof hostProcesses)['schemas']>
  }
}
