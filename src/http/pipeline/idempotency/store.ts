import { sql } from 'kysely'
import type { Db } from '#db/database.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { prepared } from '#db/query/prepared.ts'
import type { IdempotencyKeyRow } from '#db/tables/tables.ts'
import type { Instant } from '#values/instant.ts'

type Row = IdempotencyKeyRow

/** One use of a key: its name and, where work goes on after it was kept, what that is about. */
interface Use {
  readonly name: string
  readonly subject: number
}

const named = prepared((db: Db, param: { name: string; now: Instant }) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('name', '=', param.name)
    .where('expires_at', '>', param.now),
)

/** What is kept under a name and has not expired. */
const find = (db: Db, name: string, now: Instant): Promise<Row | undefined> =>
  named.first(db, { name, now })

/**
 * Takes the name for this transaction without waiting; false where another transaction has it. On
 * SQLite there never is another.
 */
async function lock(db: Db, name: string): Promise<boolean> {
  if (dialectOf(db) === 'sqlite') return true
  const { rows } = await sql<{
    held: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`.execute(db)
  return Boolean(rows[0]?.held)
}

const insert = prepared((db: Db, param: Row & { readonly now: Instant }) =>
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

/** Keeps a row; false, and nothing is kept, where one stands that has not expired. */
const keep = async (db: Db, row: Row, now: Instant): Promise<boolean> =>
  (await insert.first(db, { ...row, now })) !== undefined

/** Keeps the answer of work that was under way; nothing where somebody has answered it already. */
async function settle(
  db: Db,
  { name, subject }: Use,
  { answer, owner_id }: Pick<Row, 'answer' | 'owner_id'>,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer, owner_id })
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('answer', 'is', null)
    .execute()
}

/** Says that nobody works any longer on what is under way. */
async function release(db: Db, { name, subject }: Use): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ leased_until: 0 })
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('answer', 'is', null)
    .execute()
}

/** Forgets the name. */
async function forget(db: Db, name: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('name', '=', name).execute()
}

/** What callers were told under their keys, by name; work under way has no answer yet. */
export const idempotencyStore = { find, lock, keep, settle, release, forget }

/** Forgets some of what has expired, at most `limit` rows at a time; tells how many. */
export async function deleteExpiredResponses(db: Db, now: Instant, limit = 500): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('name', 'in', (eb) =>
      eb
        .selectFrom('idempotency_keys')
        .select('name')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const dropAll = prepared((db: Db, param: { userId: number }) =>
  db
    .deleteFrom('idempotency_keys')
    .where((eb) => eb.or([eb('caller_id', '=', param.userId), eb('owner_id', '=', param.userId)])),
)

/** Forgets what a user was answered, and what anybody was answered about what is that user's. */
export const deleteResponsesOf = (db: Db, userId: number): Promise<number> =>
  dropAll.run(db, { userId })
