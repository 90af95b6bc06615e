import { type ColumnsOf, copied, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The accounts that have, or may get, guest orders to take over with the address that they have confirmed. */
export const guestOrderJoins = table('guest_order_joins', {
  columns: {
    user_id: integer,
    /** The unique form of the address. */
    contact_key: copied(text, { table: 'users', column: 'email_key', by: 'user_id' }),
    /** Orders that were placed later stay those of the guest. */
    confirmed_at: integer,
    /** When to go on. */
    due_at: integer,
  },
  key: ['user_id'],
  indexes: ['due_at'],
  owner: { column: 'user_id', whenErased: 'delete' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    guest_order_joins: ColumnsOf<(typeof guestOrderJoins)['schemas']>
  }
}
