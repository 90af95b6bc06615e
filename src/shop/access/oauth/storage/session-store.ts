import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { asBigint, lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

interface SessionKey {
  /** The hash of the session's uid, or of the authorization request's ID until it is taken over. */
  readonly family: string
  readonly userId: number
}

const selectActive = prepareSql(
  (_: Db, { family, userId, now }: SessionKey & { now: Instant }) => sql`
    select id, created_at from sessions
    where family = ${family} and user_id = ${userId} and ended_at is null and expires_at > ${now}`,
  { id: integer, created_at: integer },
)

/** The session with this key that has not ended or expired. */
export const findActiveSession = (db: Db, key: SessionKey, now: Instant) =>
  selectActive.first(db, { ...key, now })

interface NewSession extends SessionKey {
  /** The password hash that was verified. */
  readonly passwordHash: string
  readonly address: string | null
  readonly expiresAt: Instant
}

// Statements that end sessions update the user first, so the lock orders them after this one.
const insert = prepareSql(
  (db: Db, param: NewSession & { now: Instant }) => sql`
    insert into sessions (user_id, session_kind, family, address, expires_at, created_at, updated_at)
    select users.id, 'browser', cast(${param.family} as text), cast(${param.address} as text),
      ${asBigint(param.expiresAt)}, ${asBigint(param.now)}, ${asBigint(param.now)}
    from users
    where users.id = ${param.userId} and password_hash = ${param.passwordHash}
      and status = 'active' and deleted_at is null
    ${lockRows(db, 'users')}
    on conflict (family) do update set
      user_id = excluded.user_id, address = excluded.address, expires_at = excluded.expires_at,
      created_at = excluded.created_at, updated_at = excluded.updated_at, ended_at = null`,
)

/**
 * Starts a browser session in one statement; false if the password was changed in the meantime or
 * the user may not sign in any more.
 */
export const startBrowserSession = async (
  db: Db,
  session: NewSession,
  now: Instant,
): Promise<boolean> => (await insert.run(db, { ...session, now })) === 1

const end = prepareSql(
  (_: Db, { idHash, now }: { idHash: string; now: Instant }) => sql`
    update sessions set ended_at = ${now}, updated_at = ${now}, revision = revision + 1
    where ended_at is null and family = (
      select uid_hash from oauth_artefacts where kind = 'Session' and id_hash = ${idHash})
    returning id, user_id`,
  { id: integer, user_id: integer },
)

/** Ends the session of the Session payload with this ID hash; undefined if none is active. */
export const endSessionOfPayload = (db: Db, idHash: string, now: Instant) =>
  end.first(db, { idHash, now })
