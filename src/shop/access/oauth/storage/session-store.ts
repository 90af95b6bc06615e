import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

interface SessionKey {
  /** The hash of the session's uid, or of the authorization request's ID until it is taken over. */
  readonly family: string
  readonly userId: number
}

const selectActive = prepareQuery((db: Db, param: SessionKey & { now: Instant }) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at'])
    .where('family', '=', param.family)
    .where('user_id', '=', param.userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', param.now),
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

const insert = prepareQuery((db: Db, param: NewSession & { now: Instant }) =>
  db
    .insertInto('sessions')
    .columns([
      'user_id',
      'session_kind',
      'family',
      'address',
      'expires_at',
      'created_at',
      'updated_at',
    ])
    .expression((eb) => {
      const instant = (value: Instant) => eb.cast<number>(eb.val(value), 'bigint')
      const text = <T extends string | null>(value: T) => eb.cast<T>(eb.val(value), 'text')
      const activeUser = eb
        .selectFrom('users')
        .select([
          'users.id',
          eb.cast<'browser'>(eb.val('browser'), 'text').as('session_kind'),
          text(param.family).as('family'),
          text(param.address).as('address'),
          instant(param.expiresAt).as('expires_at'),
          instant(param.now).as('created_at'),
          instant(param.now).as('updated_at'),
        ])
        .where('users.id', '=', param.userId)
        .where('password_hash', '=', param.passwordHash)
        .where('status', '=', 'active')
        .where('deleted_at', 'is', null)
      // Statements that end sessions update the user first, so the lock orders them after this one.
      return dialectOf(db) === 'postgres' ? activeUser.forNoKeyUpdate() : activeUser
    })
    .onConflict((conflict) =>
      conflict.column('family').doUpdateSet((eb) => ({
        user_id: eb.ref('excluded.user_id'),
        address: eb.ref('excluded.address'),
        expires_at: eb.ref('excluded.expires_at'),
        created_at: eb.ref('excluded.created_at'),
        updated_at: eb.ref('excluded.updated_at'),
        ended_at: null,
      })),
    ),
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

const end = prepareQuery((db: Db, param: { idHash: string; now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      ended_at: param.now,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('family', '=', (eb) =>
      eb
        .selectFrom('oauth_artefacts')
        .select('uid_hash')
        .where('kind', '=', 'Session')
        .where('id_hash', '=', param.idHash),
    )
    .where('ended_at', 'is', null)
    .returning(['id', 'user_id']),
)

/** Ends the session of the Session payload with this ID hash; undefined if none is active. */
export const endSessionOfPayload = (db: Db, idHash: string, now: Instant) =>
  end.first(db, { idHash, now })
