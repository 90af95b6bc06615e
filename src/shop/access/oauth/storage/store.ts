import type { Row } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { oauthArtefacts } from './table.ts'

type PayloadRow = Row<(typeof oauthArtefacts)['schemas']>

type NewPayload = Omit<PayloadRow, 'consumed_at'>

const upsert = prepareQuery((db: Db, param: NewPayload) =>
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
        // Saving a grant again does not extend it.
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

const upsertConsent = prepareQuery((db: Db, param: NewConsent & { now: Instant }) =>
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

/** Saves the consent of a user to a client; a later one extends the first. */
export const saveConsent = (db: Db, consent: NewConsent, now: Instant): Promise<number> =>
  upsertConsent.run(db, { ...consent, now })

/** Inserts a payload or replaces the one with its kind and ID. */
export const savePayload = (db: Db, row: NewPayload): Promise<number> => upsert.run(db, row)

const selectUsable = (db: Db, now: Instant) =>
  db
    .selectFrom('oauth_artefacts as artefact')
    .leftJoin('users', 'users.id', 'artefact.user_id')
    .select(['artefact.id_hash', 'artefact.payload', 'artefact.consumed_at'])
    .where('artefact.expires_at', '>', now)
    // The payloads of a suspended user become usable again with the user.
    .where((eb) =>
      eb.or([
        eb('artefact.user_id', 'is', null),
        eb.and([eb('users.status', '=', 'active'), eb('users.deleted_at', 'is', null)]),
      ]),
    )

const byId = prepareQuery((db: Db, param: { kind: string; idHash: string; now: Instant }) =>
  selectUsable(db, param.now)
    .where('artefact.kind', '=', param.kind)
    .where('artefact.id_hash', '=', param.idHash),
)

/** The stored, encrypted payload. */
export type StoredPayload = Pick<PayloadRow, 'id_hash' | 'payload' | 'consumed_at'>

/** The payload of this kind and ID hash, unless it has expired or its user is not active. */
export const findPayload = (
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<StoredPayload | undefined> => byId.first(db, { kind, idHash, now })

const byUid = prepareQuery((db: Db, param: { kind: string; uidHash: string; now: Instant }) =>
  selectUsable(db, param.now)
    .where('artefact.kind', '=', param.kind)
    .where('artefact.uid_hash', '=', param.uidHash),
)

/** The payload of this kind and uid hash, under the same conditions. */
export const findPayloadByUid = (
  db: Db,
  kind: string,
  uidHash: string,
  now: Instant,
): Promise<StoredPayload | undefined> => byUid.first(db, { kind, uidHash, now })

const consume = prepareQuery((db: Db, param: { kind: string; idHash: string; now: Instant }) =>
  db
    .updateTable('oauth_artefacts')
    .set({ consumed_at: param.now })
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash)
    .where('consumed_at', 'is', null),
)

/** Marks a payload as consumed; false if it already was or does not exist. */
export const consumePayload = async (
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<boolean> => (await consume.run(db, { kind, idHash, now })) === 1

const deleteOne = prepareQuery((db: Db, param: { kind: string; idHash: string }) =>
  db
    .deleteFrom('oauth_artefacts')
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash),
)

/** Deletes a payload. */
export const deletePayload = (db: Db, kind: string, idHash: string): Promise<number> =>
  deleteOne.run(db, { kind, idHash })

const deleteOfGrant = prepareQuery((db: Db, param: { kind: string; grantHash: string }) =>
  db
    .deleteFrom('oauth_artefacts')
    .where('kind', '=', param.kind)
    .where('grant_hash', '=', param.grantHash),
)

/** Deletes every payload of a kind that depends on a grant. */
export const deletePayloadsOfGrant = (db: Db, kind: string, grantHash: string): Promise<number> =>
  deleteOfGrant.run(db, { kind, grantHash })

const touchConsent = prepareQuery((db: Db, param: { grantHash: string; now: Instant }) =>
  db
    .updateTable('oauth_consents')
    .set((eb) => ({ revision: eb('revision', '+', eb.lit(1)), updated_at: param.now }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_artefacts as grant')
        .innerJoin('oauth_consents as consent', (join) =>
          join
            .onRef('consent.user_id', '=', 'grant.user_id')
            .onRef('consent.client_id', '=', 'grant.client_id'),
        )
        .select('consent.id')
        .where('grant.kind', '=', 'Grant')
        .where('grant.id_hash', '=', param.grantHash),
    ),
)

/** Revokes a grant and updates the revision of its consent. */
export async function revokeGrant(db: Db, grantHash: string, now: Instant): Promise<void> {
  await touchConsent.run(db, { grantHash, now })
  await deleteOne.run(db, { kind: 'Grant', idHash: grantHash })
}

const selectGrantHash = prepareQuery((db: Db, param: { kind: string; idHash: string }) =>
  db
    .selectFrom('oauth_artefacts')
    .select('grant_hash')
    .where('kind', '=', param.kind)
    .where('id_hash', '=', param.idHash),
)

/** Revokes the grant that a payload depends on, and with it every other payload of the grant. */
export async function revokeGrantOfPayload(
  db: Db,
  kind: string,
  idHash: string,
  now: Instant,
): Promise<void> {
  const payload = await selectGrantHash.first(db, { kind, idHash })
  if (payload?.grant_hash) await revokeGrant(db, payload.grant_hash, now)
}

/** Deletes up to `deletionBatchSize` expired payloads, oldest first, and returns how many. */
export async function deleteExpiredPayloads(db: Db, now: Instant): Promise<number> {
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
          .limit(deletionBatchSize)
          .$asTuple('kind', 'id_hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
