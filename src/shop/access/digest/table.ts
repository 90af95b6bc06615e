import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The highest count used with a nonce; an unused nonce has no row. */
export const digestNonces = table('digest_nonces', {
  columns: {
    nonce: text,
    count: integer,
    expires_at: integer,
  },
  key: ['nonce'],
  indexes: ['expires_at'],
  owner: null,
  encrypted: [],
  kept: { until: 'expires_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    digest_nonces: ColumnsOf<(typeof digestNonces)['schemas']>
  }
}
