import { nullable } from '#schema/words.ts'
import type { EventAudience } from '#shop/events/types.ts'
import { webhookAssociatedData } from '#src/secrets/webhook-secrets.ts'
import { type ColumnsOf, columnDefault, integer, removable, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** Why the server has disabled a webhook. */
export type DisabledReason = 'gone' | 'failing' | 'key_revoked' | 'recovered'

/**
 * Webhooks. `types` is a JSON array; `active` is 0 or 1; the secrets are encrypted. A removed
 * row stays, with `deleted_at`, and without secrets.
 */
export const webhooks = table('webhooks', {
  columns: {
    ...removable,
    url: text,
    types: text,
    description: nullable(text),
    /** That of whoever has created it. */
    audience: columnDefault(textOf<EventAudience>(), 'public'),
    active: integer,
    /** Null unless the server has disabled it. */
    disabled_reason: nullable(textOf<DisabledReason>()),
    secret: text,
    /** The secret before the last rotation, which signs too until `replaced_secret_expires_at`. */
    replaced_secret: nullable(text),
    replaced_secret_expires_at: nullable(integer),
    /** The sequence number of the last event before its creation or activation. */
    events_after: integer,
    /** When the first attempt failed since the last success; null after a success. */
    failing_since: nullable(integer),
    /** The number of its activation, or of the next one while it is inactive: a stop increments it. */
    activation: columnDefault(integer, 0),
    /** When it was stopped; null once the pending deliveries of earlier activations have ended. */
    stopped_at: nullable(integer),
    /** The API key that created it or set its URL, with whose revocation it is disabled. */
    api_key_id: nullable(integer),
    /** The user who created it or set its URL, with whose recovery it is disabled. */
    user_id: nullable(integer),
  },
  indexes: [
    'active where active = 1',
    'stopped_at where stopped_at is not null',
    'api_key_id where api_key_id is not null',
    'user_id where user_id is not null',
  ],
  owner: { column: 'user_id', whenErased: 'unlink' },
  encrypted: (['secret', 'replaced_secret'] as const).map((column) => ({
    column,
    purpose: 'webhook-secret',
    boundTo: ({ id }: { readonly id: number }) => webhookAssociatedData(id),
  })),
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    webhooks: ColumnsOf<(typeof webhooks)['schemas']>
  }
}
