import { sql } from 'kysely'
import type { Counters } from '#http/rate-limit/counters.ts'
import type { Row as RowOf } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { idempotencyKeys } from './table.ts'

/** A stored key: with its encrypted response, or the subject of unfinished work. */
export type Row = RowOf<(typeof idempotencyKeys)['schemas']>

/** Encrypts what is stored. */
export interface Cipher {
  readonly encrypt: (text: string, name: string) => string
  /** Undefined for what cannot be decrypted. */
  readonly decrypt: (ciphertext: string, name: string) => string | undefined
}

/** Encrypts responses, and authenticates the fingerprints of requests. */
export interface RequestCipher extends Cipher {
  /** A keyed hash: a request may hold a password, which a plain hash would reveal. */
  readonly hmac: (fingerprint: string) => string
  readonly matchesHmac: (hmac: string, fingerprint: string) => boolean
}

/** Stores responses by Idempotency-Key. */
export interface ResponseStore extends RequestCipher, Readonly<typeof idempotencyStore> {
  /** Counts the bytes stored per caller. */
  readonly storedBytes: Counters
}

/** A key whose work continues after its transaction. */
interface Use {
  readonly name: string
  readonly subject: number
}

const selectByName = prepareQuery((db: Db, param: { name: string; now: Instant }) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('name', '=', param.name)
    .where('expires_at', '>', param.now),
)

/** Returns the row of a name unless it has expired. */
const find = (db: Db, name: string, now: Instant): Promise<Row | undefined> =>
  selectByName.first(db, { name, now })

/**
 * Locks the name for this transaction without waiting; false if another transaction holds it.
 * SQLite has one writing transaction at a time.
 */
async function lock(db: Db, name: string): Promise<boolean> {
  if (dialectOf(db) === 'sqlite') return true
  const { rows } = await sql<{
    held: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`.execute(db)
  return Boolean(rows[0]?.held)
}

const insertRow = prepareQuery((db: Db, param: Row & { readonly now: Instant }) =>
  db
    .insertInto('idempotency_keys')
    .values({
      name: param.name,
      fingerprint: param.fingerprint,
      answer: param.answer,
      subject: param.subject,
      caller_id: param.caller_id,
      owner_id: param.owner_id,
      leased_until: param.leased_until,
      expires_at: param.expires_at,
    })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          fingerprint: eb.ref('excluded.fingerprint'),
          answer: eb.ref('excluded.answer'),
          subject: eb.ref('excluded.subject'),
          caller_id: eb.ref('excluded.caller_id'),
          owner_id: eb.ref('excluded.owner_id'),
          leased_until: eb.ref('excluded.leased_until'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where('idempotency_keys.expires_at', '<=', param.now),
    )
    .returning('name'),
)

/** Inserts a row, or replaces an expired one; false if the name has a row that has not expired. */
const insert = async (db: Db, row: Row, now: Instant): Promise<boolean> =>
  (await insertRow.first(db, { ...row, now })) !== undefined

/** Stores the response of unfinished work; has no effect if it has one already. */
async function complete(
  db: Db,
  { name, subject }: Use,
  { answer, owner_id }: Pick<Row, 'answer' | 'owner_id'>,
): Promise<void> {
  await idempotencyKeys.update(db, { name, subject, answer: null }, { answer, owner_id })
}

/** Ends the lease of unfinished work. */
async function endLease(db: Db, { name, subject }: Use): Promise<void> {
  await idempotencyKeys.update(db, { name, subject, answer: null }, { leased_until: 0 })
}

/** Deletes the row of a name. */
async function remove(db: Db, name: string): Promise<void> {
  await idempotencyKeys.delete(db, { name })
}

/** The stored responses by the name of their key; unfinished work has a row without response. */
export const idempotencyStore = { find, lock, insert, complete, endLease, remove }

/**
 * Deletes the responses to a user, and empties those of others with an entity that the user owns: their keys
 * stay, so that a retry does nothing again.
 */
export async function eraseResponsesOf(db: Db, userId: number): Promise<void> {
  await idempotencyKeys.delete(db, { caller_id: userId })
  await idempotencyKeys.update(db, { owner_id: userId }, { answer: '' })
}
