import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/**
 * The stored response to a key; '' once its content is erased. While `answer` is null the request is
 * in progress, and `subject` is the id of the entity it works on.
 */
export const idempotencyKeys = table('idempotency_keys', {
  columns: {
    name: text,
    fingerprint: text,
    answer: nullable(text),
    subject: nullable(integer),
    /** The users who sent the request and who own the returned entity; null for anonymous. */
    caller_id: nullable(integer),
    owner_id: nullable(integer),
    leased_until: integer,
    expires_at: integer,
  },
  key: ['name'],
  indexes: ['expires_at', 'caller_id', 'owner_id'],
  owner: { column: 'caller_id', whenErased: 'own' },
  encrypted: [{ column: 'answer', purpose: 'kept-answer', boundTo: ({ name }) => name }],
  kept: { until: 'expires_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    idempotency_keys: ColumnsOf<(typeof idempotencyKeys)['schemas']>
  }
}
