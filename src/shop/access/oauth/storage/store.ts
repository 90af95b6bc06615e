import { sql } from 'kysely'
import type { Row } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { oauthArtefacts } from './table.ts'

type PayloadRow = Row<(typeof oauthArtefacts)['schemas']>

type NewPayload = Omit<PayloadRow, 'consumed_at' | 'consumed_address'>

// Saving a grant again does not extend it.
const upsert = prepareSql(
  (_: Db, row: NewPayload) => sql`
    insert into oauth_artefacts (kind, id_hash, payload, grant_hash, uid_hash, client_id, user_id,
      expires_at, granted_scope)
    values (${row.kind}, ${row.id_hash}, ${row.payload}, ${row.grant_hash}, ${row.uid_hash},
      ${row.client_id}, ${row.user_id}, ${row.expires_at}, ${row.granted_scope})
    on conflict (kind, id_hash) do update set
      payload = excluded.payload, grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash,
      client_id = excluded.client_id, user_id = excluded.user_id,
      expires_at = case when oauth_artefacts.kind = 'Grant'
          and oauth_artefacts.expires_at < excluded.expires_at
        then oauth_artefacts.expires_at else excluded.expires_at end,
      granted_scope = excluded.granted_scope`,
)

interface NewConsent {
  readonly userId: number
  readonly clientId: string
  readonly expiresAt: Instant
}

const upsertConsent = prepareSql(
  (_: Db, { userId, clientId, expiresAt, now }: NewConsent & { now: Instant }) => sql`
    insert into oauth_consents (user_id, client_id, expires_at, created_at, updated_at)
    values (${userId}, ${clientId}, ${expiresAt}, ${now}, ${now})
    on conflict (user_id, client_id) do update set
      expires_at = case when excluded.expires_at > oauth_consents.expires_at
        then excluded.expires_at else oauth_consents.expires_at end,
      updated_at = excluded.updated_at, revision = oauth_consents.revision + 1`,
)

/** Saves the consent of a user to a client; a later one extends the first. */
export const saveConsent = (db: Db, consent: NewConsent, now: Instant): Promise<number> =>
  upsertConsent.run(db, { ...consent, now })

/** Inserts a payload or replaces the one with its kind and ID. */
export const savePayload = (db: Db, row: NewPayload): Promise<number> => upsert.run(db, row)

interface PayloadKey {
  readonly kind: string
  readonly hash: string
  readonly now: Instant
}

// The payloads of a suspended user become usable again with the user.
const usableBy = (column: 'id_hash' | 'uid_hash') =>
  prepareSql(
    (_: Db, { kind, hash, now }: PayloadKey) => sql`
      select artefact.id_hash, artefact.payload, artefact.consumed_at
      from oauth_artefacts as artefact left join users on users.id = artefact.user_id
      where artefact.expires_at > ${now}
        and (artefact.user_id is null or (users.status = 'active' and users.deleted_at is null))
        and artefact.kind = ${kind} and artefact.${sql.ref(column)} = ${hash}`,
    oauthArtefacts.schemasOf(['id_hash', 'payload', 'consumed_at']),
  )

const [byId, byUid] = [usableBy('id_hash'), usableBy('uid_hash')]

/** The stored, encrypted payload. */
export type StoredPayload = Pick<PayloadRow, 'id_hash' | 'payload' | 'consumed_at'>

/** The payload of this kind and ID hash, unless it has expired or its user is not active. */
export const findPayload = (db: Db, key: PayloadKey): Promise<StoredPayload | undefined> =>
  byId.first(db, key)

/** The payload of this kind and uid hash, under the same conditions. */
export const findPayloadByUid = (db: Db, key: PayloadKey): Promise<StoredPayload | undefined> =>
  byUid.first(db, key)

/** The use of a code or token. */
interface PayloadUse extends PayloadKey {
  /** The client address, which is stored. */
  readonly address?: string | null
}

/** Marks a payload as consumed; false if it already was or does not exist. */
export const consumePayload = async (
  db: Db,
  { kind, hash, now, address = null }: PayloadUse,
): Promise<boolean> => {
  const unused = { kind, id_hash: hash, consumed_at: null }
  const use = { consumed_at: now, consumed_address: address }
  return (await oauthArtefacts.update(db, unused, use)) === 1
}

const touchConsent = prepareSql(
  (_: Db, { grantHash, now }: { grantHash: string; now: Instant }) => sql`
    update oauth_consents set revision = revision + 1, updated_at = ${now}
    where id in (
      select consent.id from oauth_artefacts as artefact join oauth_consents as consent
        on consent.user_id = artefact.user_id and consent.client_id = artefact.client_id
      where artefact.kind = 'Grant' and artefact.id_hash = ${grantHash})`,
)

/** Revokes a grant and updates the revision of its consent. */
export async function revokeGrant(db: Db, grantHash: string, now: Instant): Promise<void> {
  await touchConsent.run(db, { grantHash, now })
  await oauthArtefacts.delete(db, { kind: 'Grant', id_hash: grantHash })
}

/** Revokes the grant that a payload depends on, and with it every other payload of the grant. */
export async function revokeGrantOfPayload(db: Db, { kind, hash, now }: PayloadKey): Promise<void> {
  const payload = await oauthArtefacts.find(db, { kind, id_hash: hash })
  if (payload?.grant_hash) await revokeGrant(db, payload.grant_hash, now)
}
