import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** A network from which a user has signed in with their password. */
export const knownNetworks = table('known_networks', {
  columns: {
    user_id: integer,
    /** An IPv4 address, or the first 64 bits of an IPv6 address. */
    network: text,
    seen_at: integer,
  },
  key: ['user_id', 'network'],
  indexes: ['seen_at'],
  owner: { column: 'user_id', whenErased: 'delete' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    known_networks: ColumnsOf<(typeof knownNetworks)['schemas']>
  }
}
