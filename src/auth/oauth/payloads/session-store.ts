import type { Db } from '#db/database.ts'
import { dialectOf } from '#db/query/dialect.ts'
import { prepared } from '#db/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

interface Named {
  /** The hash of the name of a browser session, or of the sign-in that it begins with. */
  readonly family: string
  readonly userId: number
}

const live = prepared((db: Db, param: Named & { now: Instant }) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at'])
    .where('family', '=', param.family)
    .where('user_id', '=', param.userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', param.now),
)

/** The session of this name and user, unless it has ended or expired. */
export const findLiveSession = (db: Db, named: Named, now: Instant) =>
  live.first(db, { ...named, now })

interface NewSession extends Named {
  /** The hash of the password that was proved. */
  readonly passwordHash: string
  readonly address: string | null
  readonly expiresAt: Instant
}

const begin = prepared((db: Db, param: NewSession & { address: string; now: Instant }) =>
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
      const word = (value: string) => eb.cast<string>(eb.val(value), 'text')
      const rows = eb
        .selectFrom('users')
        .select([
          'users.id',
          eb.cast<'browser'>(eb.val('browser'), 'text').as('session_kind'),
          word(param.family).as('family'),
          word(param.address).as('address'),
          instant(param.expiresAt).as('expires_at'),
          instant(param.now).as('created_at'),
          instant(param.now).as('updated_at'),
        ])
        .where('users.id', '=', param.userId)
        .where('password_hash', '=', param.passwordHash)
        .where('status', '=', 'active')
        .where('deleted_at', 'is', null)
      // Whatever ends sessions writes the row of the user first, and sees this one afterwards.
      return dialectOf(db) === 'postgres' ? rows.forNoKeyUpdate() : rows
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
 * Begins the browser session of a user by one statement; false where the password is another by now,
 * or the user may not sign in any more.
 */
export const startBrowserSession = async (
  db: Db,
  started: NewSession,
  now: Instant,
): Promise<boolean> =>
  // A value is never undefined; null is one.
  (await begin.run(db, { ...started, address: started.address as string, now })) === 1

interface SessionExtension {
  readonly id: number
  readonly family: string
  readonly address: string | null
  readonly expiresAt: Instant
}

const prolong = prepared((db: Db, param: SessionExtension & { address: string; now: Instant }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      family: param.family,
      address: param.address,
      expires_at: param.expiresAt,
      updated_at: param.now,
      revision: eb('revision', '+', eb.lit(1)),
    }))
    .where('id', '=', param.id)
    .where('ended_at', 'is', null),
)

/** Lets a session go on under this name; false where it has ended in the meantime. */
export const prolongSession = async (
  db: Db,
  extension: SessionExtension,
  now: Instant,
): Promise<boolean> =>
  (await prolong.run(db, { ...extension, address: extension.address as string, now })) === 1

const end = prepared((db: Db, param: { idHash: string; now: Instant }) =>
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

/** Ends the session that the cookie of this hash carries; undefined where none goes on. */
export const endSessionOf = (db: Db, idHash: string, now: Instant) => end.first(db, { idHash, now })
