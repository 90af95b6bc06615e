import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import type { OauthPayloadRow } from '#db/tables/oauth-tables.ts'
import type { Instant } from '#values/instant.ts'

type Kept = Omit<OauthPayloadRow, 'consumed_at'>

const upsert = prepared((db: Db, param: Kept) =>
  db
    .insertInto('oauth_artefacts')
    .values({
      kind: param.kind,
      id_hash: param.id_hash,
      payload: param.payload,
      grant_hash: param.grant_hash,
      uid_hash: param.uid_hash,
      client_id: param.client_id,
      user_id: param.user_id,
      expires_at: param.expires_at,
      granted_scope: param.granted_scope,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id_hash']).doUpdateSet((eb) => ({
        payload: eb.ref('excluded.payload'),
        grant_hash: eb.ref('excluded.grant_hash'),
        uid_hash: eb.ref('excluded.uid_hash'),
        client_id: eb.ref('excluded.client_id'),
        user_id: eb.ref('excluded.user_id'),
        // A grant that is given once more ends when it was to end.
        expires_at: eb
          .case()
          .when(
            eb.and([
              eb('oauth_artefacts.kind', '=', 'Grant'),
              eb('oauth_artefacts.expires_at', '<', eb.ref('excluded.expires_at')),
            ]),
          )
          .then(eb.ref('oauth_artefacts.expires_at'))
          .else(eb.ref('excluded.expires_at'))
          .end(),
        granted_scope: eb.ref('excluded.granted_scope'),
      })),
    ),
)

interface NewConsent {
  readonly userId: number
  readonly clientId: string
  readonly expiresAt: Instant
}

const give = prepared((db: Db, param: NewConsent & { now: Instant }) =>
  db
    .insertInto('oauth_consents')
    .values({
      user_id: param.userId,
      client_id: param.clientId,
      expires_at: param.expiresAt,
      created_at: param.now,
      updated_at: param.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id']).doUpdateSet((eb) => ({
        expires_at: eb
          .case()
          .when('excluded.expires_at', '>', eb.ref('oauth_consents.expires_at'))
          .then(eb.ref('excluded.expires_at'))
          .else(eb.ref('oauth_consents.expires_at'))
          .end(),
        updated_at: eb.ref('excluded.updated_at'),
        revision: eb('oauth_consents.revision', '+', eb.lit(1)),
      })),
    ),
)

/** Writes down that a user lets a client act, whether for the first time or once more. */
export const grantConsent = (db: Db, newConsent: NewConsent, now: Instant): Promise<number> =>
  give.run(db, { ...newConsent, now })

/** Keeps an artefact, in the place of what was kept under its name. */
export const savePayload = (db: Db, row: Kept): Promise<number> => upsert.run(db, row)

const standing = (db: Db, now: Instant) =>
  db
    .selectFrom('oauth_artefacts as artefact')
    .leftJoin('users', 'users.id', 'artefact.user_id')
    .select(['artefact.id_hash', 'artefact.payload', 'artefact.consumed_at'])
    .where('artefact.expires_at', '>', now)
    // Whoever is suspended or gone has nothing, for as long as that lasts.
    .where((eb) =>
      eb.or([
        eb('artefact.user_id', 'is', null),
        eb.and([eb('users.status', '=', 'active'), eb('users.deleted_at', 'is', null)]),
      ]),
    )

const byId = prepared((db: Db, param: { kind: string; idHash: string; now: Instant }) =>
  standing(db, param.now)
    .where('artefact.kind', '=', param.kind)
    .where('artefact.id_hash', '=', param.idHash),
)

/** An artefact as it was kept. */
export type StoredPayload = Pick<OauthPayloadRow, 'id_hash' | 'payload' | 'consumed_at'>

/** The artefact of this kind and name, unless it has expired or its user may not be served. */
export const findPayload = (
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<StoredPayload | undefined> => byId.first(db, { kind, idHash, now })

const byUid = prepared((db: Db, param: { kind: string; uidHash: string; now: Instant }) =>
  standing(db, param.now)
    .where('artefact.kind', '=', param.kind)
    .where('artefact.uid_hash', '=', param.uidHash),
)

/** The same by its second name. */
export const findPayloadByUid = (
  db: Db,
  kind: string,
  uidHash: string,
  now: Instant,
): Promise<StoredPayload | undefined> => byUid.first(db, { kind, uidHash, now })

const consume = prepared((db: Db, param: { kind: string; idHash: string; now: Instant }) =>
  db
    .updateTable('oauth_artefacts')
    .set({ consumed_at: param.now })
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash)
    .where('consumed_at', 'is', null),
)

/** Uses an artefact up; false where somebody has, or it is gone. */
export const consumePayload = async (
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<boolean> => (await consume.run(db, { kind, idHash, now })) === 1

const remove = prepared((db: Db, param: { kind: string; idHash: string }) =>
  db
    .deleteFrom('oauth_artefacts')
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash),
)

/** Forgets an artefact. */
export const removePayload = (db: Db, kind: string, idHash: string): Promise<number> =>
  remove.run(db, { kind, idHash })

const removeGranted = prepared((db: Db, param: { kind: string; grantHash: string }) =>
  db
    .deleteFrom('oauth_artefacts')
    .where('kind', '=', param.kind)
    .where('grant_hash', '=', param.grantHash),
)

/** Forgets every artefact of a kind that rests on a grant. */
export const removeGrantedPayloads = (db: Db, kind: string, grantHash: string): Promise<number> =>
  removeGranted.run(db, { kind, grantHash })

const touch = prepared((db: Db, param: { grantHash: string; now: Instant }) =>
  db
    .updateTable('oauth_consents')
    .set((eb) => ({ revision: eb('revision', '+', eb.lit(1)), updated_at: param.now }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_artefacts as given')
        .innerJoin('oauth_consents as consent', (join) =>
          join
            .onRef('consent.user_id', '=', 'given.user_id')
            .onRef('consent.client_id', '=', 'given.client_id'),
        )
        .select('consent.id')
        .where('given.kind', '=', 'Grant')
        .where('given.id_hash', '=', param.grantHash),
    ),
)

/** Withdraws a grant; what its user has consented to is another thing from now on. */
export async function revokeGrant(db: Db, grantHash: string, now: Instant): Promise<void> {
  await touch.run(db, { grantHash, now })
  await remove.run(db, { kind: 'Grant', idHash: grantHash })
}

const grantOf = prepared((db: Db, param: { kind: string; idHash: string }) =>
  db
    .selectFrom('oauth_artefacts')
    .select('grant_hash')
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash),
)

/** Withdraws the grant that an artefact rests on: whatever else rests on it is worth nothing then. */
export async function revokeGrantOfPayload(
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<void> {
  const used = await grantOf.first(db, { kind, idHash })
  if (used?.grant_hash) await revokeGrant(db, used.grant_hash, now)
}

/** Forgets some of what has expired, at most `limit` rows at a time; tells how many. */
export async function deleteExpiredPayloads(db: Db, now: Instant, limit = 500): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_artefacts')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('kind', 'id_hash'),
        'in',
        selectFrom('oauth_artefacts as old')
          .select(['old.kind', 'old.id_hash'])
          .where('old.expires_at', '<=', now)
          .orderBy('old.expires_at')
          .limit(limit)
          .$asTuple('kind', 'id_hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
