import { type Selectable, sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { hourMs, type Instant } from '#values/instant.ts'
import { accountTokens } from './table.ts'

/** How long a change of a confirmed address can be undone. */
const undoMs = 72 * hourMs

const purpose = 'address_change'

/** The address that an account had before a change that can still be undone. */
export type FormerAddress = Selectable<Tables['account_tokens']>

/** Returns the address of a user before all changes that can still be undone; undefined without one. */
export async function findFormerAddress(
  db: Db,
  user_id: number,
  now: Instant,
): Promise<FormerAddress | undefined> {
  const former = await accountTokens.find(db, { user_id, purpose })
  return former && former.expires_at > now ? former : undefined
}

/** Keeps the address that a user gives up, and that the user has confirmed, for who wants it back. */
export async function keepFormerAddress(
  db: Db,
  address: Pick<FormerAddress, 'token_hash' | 'user_id' | 'email' | 'email_key'>,
  now: Instant,
): Promise<void> {
  await endAddressChanges(db, address.user_id)
  const times = { created_at: now, expires_at: now + undoMs }
  await accountTokens.insert(db, { ...address, purpose, salt: '', ...times })
}

/** Lets a change be undone for the whole time again, after a further one. */
export const prolongFormerAddress = (
  db: Db,
  { token_hash }: FormerAddress,
  now: Instant,
): Promise<number> => accountTokens.update(db, { token_hash }, { expires_at: now + undoMs })

/** Ends what undoes the changes of the address of a user. */
export const endAddressChanges = (db: Db, user_id: number): Promise<number> =>
  accountTokens.delete(db, { user_id, purpose })

/** Copies the former addresses of these keys to a scratch database, but for those that are there. */
export async function copyFormerAddresses(
  from: Db,
  to: Db,
  keys: readonly string[],
): Promise<void> {
  const rows = await accountTokens.findAll(from, { purpose, email_key: keys })
  await accountTokens.insertMissing(to, rows)
}

const heldFor = prepareSql(
  (_: Db, param: { one: string; other: string; exceptId: number; now: Instant }) => sql`
    select user_id from account_tokens
    where purpose = 'address_change' and email_key in (${param.one}, ${param.other})
      and expires_at > ${param.now} and user_id <> ${param.exceptId}`,
  { user_id: integer },
)

/** True while one of two names is the former address of another user, who may want it back. */
export const isFormerAddress = async (
  db: Db,
  names: readonly [string, string],
  exceptId: number,
  now: Instant,
): Promise<boolean> =>
  (await heldFor.first(db, { one: names[0], other: names[1], exceptId, now })) !== undefined
