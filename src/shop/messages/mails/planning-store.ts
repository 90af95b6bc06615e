import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { consumerPosition } from '#shop/events/position-store.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { asBigint, dialectOf, idInQuery, rowsFromJson, withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery, prepareSql } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import { type MailKind, type MailRow, mailRequests } from './table.ts'

/** The position up to which mails are planned. */
export const position = consumerPosition('mails.sequence')

/** A mail about an order. */
export interface PlannedOrderMail {
  readonly mail_key: string
  readonly kind: MailKind
  readonly order_id: number
  readonly parcel_id: number | null
  readonly return_id: number | null
  readonly amount: number | null
}

const plannedFields = {
  mail_key: 'text',
  kind: 'text',
  order_id: 'integer',
  parcel_id: 'integer',
  return_id: 'integer',
  amount: 'integer',
} as const

const insertForOrders = prepareQuery(
  (db: Db, param: { rows: readonly PlannedOrderMail[]; now: Instant }) =>
    db
      .insertInto('mails')
      .columns([
        ...(['mail_key', 'kind', 'user_id', 'order_id', 'parcel_id'] as const),
        ...(['return_id', 'amount', 'network'] as const),
        ...(['due_at', 'created_at'] as const),
      ])
      .expression((eb) =>
        eb
          .selectFrom(rowsFromJson(db, param.rows, plannedFields).as('planned'))
          .innerJoin('orders', 'orders.id', 'planned.order_id')
          .leftJoin('users', 'users.id', 'orders.user_id')
          .select([
            'planned.mail_key',
            'planned.kind',
            'orders.user_id',
            'orders.id',
            'planned.parcel_id',
            'planned.return_id',
            'planned.amount',
            'users.email_network',
            asBigint(param.now).as('due_at'),
            asBigint(param.now).as('created_at'),
          ])
          .where('orders.contact_email', 'is not', null)
          // Each parcel has a mail of its own.
          .where((where) =>
            where.or([
              where('planned.kind', '<>', 'order_shipped'),
              where('planned.parcel_id', 'is not', null),
              where('orders.parcel_count', '=', 0),
            ]),
          ),
      )
      .onConflict((conflict) => conflict.column('mail_key').doNothing()),
)

/** Inserts the mails about orders whose buyers have an address, each once. */
export async function insertOrderMails(
  db: Db,
  rows: readonly PlannedOrderMail[],
  now: Instant,
): Promise<void> {
  if (rows.length > 0) await insertForOrders.run(db, { rows, now })
}

/** A mail about an account; `recipient` is null for the address that the user has when it is written. */
type AccountMail = Pick<
  MailRow,
  'mail_key' | 'kind' | 'user_id' | 'token_hash' | 'recipient' | 'network' | 'created_at'
>

/** Due before every mail about an order: somebody waits for a mail about an account. */
const dueFirst: Instant = 0

const insertForAccount = prepareQuery((db: Db, param: AccountMail) =>
  db
    .insertInto('mails')
    .values({
      mail_key: param.mail_key,
      kind: param.kind,
      user_id: param.user_id,
      token_hash: param.token_hash,
      recipient: param.recipient,
      network: param.network,
      due_at: dueFirst,
      created_at: param.created_at,
    })
    .onConflict((conflict) => conflict.column('mail_key').doNothing()),
)

/** Inserts a mail about an account, once. */
export async function insertAccountMail(db: Db, mail: AccountMail): Promise<void> {
  await insertForAccount.run(db, mail)
}

const undoMails = prepareQuery((db: Db, param: { userId: number; after: Instant }) =>
  db
    .selectFrom('mails')
    .select('created_at')
    .where('user_id', '=', param.userId)
    .where('kind', '=', 'email_changed')
    .where('token_hash', 'is not', null)
    .where('created_at', '>', param.after)
    .orderBy(withoutIndex('id')),
)

/** Returns when the mails with a link that undoes a change were queued for a user, the oldest first. */
export const findUndoMails = async (
  db: Db,
  userId: number,
  after: Instant,
): Promise<readonly Instant[]> =>
  (await undoMails.all(db, { userId, after })).map(({ created_at }) => created_at)

/** A user with an address to which a token may be mailed. */
interface Recipient {
  readonly id: number
  readonly email_key: string | null
}

// Guests have no password, and do not confirm addresses.
const hasAccount = sql<SqlBool>`role in ('customer', 'admin')`

/** True for an active user whose address is not confirmed. */
const isUnconfirmed = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb.and([
    eb('email_key', 'is not', null),
    eb('email_verified', '=', 0),
    eb('status', '=', 'active'),
    eb('deleted_at', 'is', null),
    hasAccount,
  ])

const takeUnconfirmed = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .updateTable('users')
    .set({ confirmation_mailed_at: param.now })
    .where('id', '=', param.userId)
    .where('confirmation_mailed_at', 'is', null)
    .where(isUnconfirmed)
    .returning(['id', 'email_key', 'email_network']),
)

/** Marks that the new address of a user is to be confirmed; undefined if that was done before. */
export const takeNewAddress = (
  db: Db,
  userId: number,
  now: Instant,
): Promise<(Recipient & { readonly email_network: string | null }) | undefined> =>
  takeUnconfirmed.first(db, { userId, now })

const unconfirmed = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('id', '=', param.userId)
    .where(isUnconfirmed),
)

/** Returns a user whose address is not confirmed. */
export const findUnconfirmed = (db: Db, userId: number): Promise<Recipient | undefined> =>
  unconfirmed.first(db, { userId })

const byEmail = prepareSql(
  (_: Db, { emailKey, now }: { emailKey: string; now: Instant }) => sql`
    select users.id, coalesce(former.email_key, users.email_key) as email_key
    from users left join account_tokens as former on former.user_id = users.id
      and former.purpose = 'address_change' and former.expires_at > ${now}
    where users.id in (
        select id from users where email_key = ${emailKey}
        union all
        select user_id from account_tokens
        where purpose = 'address_change' and email_key = ${emailKey} and expires_at > ${now})
      and users.status = 'active' and users.deleted_at is null and ${hasAccount}`,
  { id: integer, email_key: nullable(text) },
)

/**
 * Returns the active user with an address, which is the current one or, while its change can be undone,
 * the former one; and the address that speaks for the account: the former one, if there is one.
 */
export const findByEmail = (
  db: Db,
  emailKey: string,
  now: Instant,
): Promise<Recipient | undefined> => byEmail.first(db, { emailKey, now })

const takeOldest = prepareQuery((db: Db, param: { limit: number }) =>
  db
    .deleteFrom('mail_requests')
    .where(
      idInQuery(
        db,
        'mail_requests.id',
        db
          .selectFrom('mail_requests')
          .select('id')
          .orderBy('id')
          .limit(param.limit)
          .$if(dialectOf(db) === 'postgres', (requests) => requests.forUpdate().skipLocked()),
      ),
    )
    .returning(['kind', 'email', 'user_id', 'network']),
)

/** Removes the oldest requests for mails, at most `limit`, and returns them. */
export const takeRequests = (transactionDb: Db, limit: number) =>
  takeOldest.all(transactionDb, { limit })

/** Returns whether there are requests for mails. */
export const hasRequests = async (db: Db): Promise<boolean> =>
  (await mailRequests.find(db, {}, { limit: 1 })) !== undefined
