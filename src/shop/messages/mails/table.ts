import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  copied,
  identity,
  integer,
  text,
  textOf,
} from '#store/columns.ts'
import { queue } from '#store/due.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import { minuteMs } from '#values/instant.ts'

/** What a mail may be about. */
export const mailKinds = [
  'order_confirmation',
  'order_shipped',
  'order_refunded',
  'order_cancelled',
  'return_requested',
  'withdrawal_confirmed',
  'return_approved',
  'return_rejected',
  'return_received',
  'password_reset',
  'email_confirmation',
  'email_changed',
  'erasure_scheduled',
] as const

/** What a mail is about. */
export type MailKind = (typeof mailKinds)[number]

/** What the holder of a token may do: set a new password, confirm the address, or undo its change. */
export type AccountTokenPurpose = 'password_reset' | 'email_confirmation' | 'address_change'

/**
 * A token that was mailed to `email_key`. Only its hash is stored; the
 * server makes the token of `salt` and the secret key. That of an address change is made when its mail is
 * written: until then the salt is empty, and the hash that of no token.
 */
export const accountTokens = table('account_tokens', {
  columns: {
    token_hash: text,
    salt: text,
    purpose: textOf<AccountTokenPurpose>(),
    user_id: integer,
    email_key: copied(text, { table: 'users', column: 'email_key', by: 'user_id' }),
    /** The former address as it was written, of an address change; else null. */
    email: nullable(text),
    expires_at: integer,
    created_at: integer,
  },
  key: ['token_hash'],
  indexes: ['user_id', 'expires_at', "email_key where purpose = 'address_change'"],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: { until: 'expires_at' },
})

/** A mail that somebody asked for, until the job looks at it. */
export const mailRequests = table('mail_requests', {
  columns: {
    id: identity,
    kind: textOf<'password_reset' | 'email_confirmation'>(),
    /** The address that was typed in, of an unknown person; null if `user_id` is known. */
    email: nullable(text),
    user_id: nullable(integer),
    /** The network of the client that asked for it. */
    network: nullable(text),
    created_at: integer,
  },
  indexes: ['user_id where user_id is not null'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'own',
})

/**
 * A mail to send, or one that was sent. Unless `recipient` is set, the address is read
 * when the mail is written.
 */
export const mails = queue('mails', {
  // An attempt takes a minute at most.
  leaseMs: 2 * minuteMs,
  columns: {
    id: identity,
    /** Unique; the ID of the event that causes the mail, else a random one. The Message-ID contains it. */
    mail_key: text,
    kind: textOf<MailKind>(),
    /** The user who gets the mail; null for an order whose buyer has been erased. */
    user_id: nullable(integer),
    order_id: nullable(integer),
    /** The parcel that was sent. */
    parcel_id: nullable(integer),
    /** The return that the mail is about. */
    return_id: nullable(integer),
    /** The hash of the token in the link. */
    token_hash: nullable(text),
    /** The confirmed address to which a mail about a change or an erasure goes, while it is pending; else null. */
    recipient: nullable(text),
    /** The network for which the mail counts, until it is sent; null for none. */
    network: nullable(text),
    /** The amount that was returned. */
    amount: nullable(integer),
    status: columnDefault(textOf<'pending' | 'sent' | 'failed' | 'cancelled'>(), 'pending'),
    attempts: columnDefault(integer, 0),
    /** Why the last attempt failed. */
    error: nullable(text),
    sent_at: nullable(integer),
    created_at: integer,
  },
  unique: ['mail_key'],
  indexes: ['due_at where due_at is not null', 'user_id, id', 'created_at'],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'move' },
  encrypted: [],
  kept: { since: 'created_at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    account_tokens: ColumnsOf<(typeof accountTokens)['schemas']>
    mail_requests: ColumnsOf<(typeof mailRequests)['schemas']>
    mails: ColumnsOf<(typeof mails)['schemas']>
  }
}

/** A row of `mails`. */
export type MailRow = Selectable<Tables['mails']>
