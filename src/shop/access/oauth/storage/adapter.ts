import { hash } from 'node:crypto'
import type { Payload } from 'oidc-provider'
import type { Cipher } from '#http/pipeline/idempotency/store.ts'
import { consoleClientId } from '#shop/access/oauth/console-client.ts'
import type { Db } from '#store/database.ts'
import { toIdentifier } from '#values/identifier.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import * as store from './store.ts'
import { oauthArtefacts, payloadAssociatedData } from './table.ts'

/** What the adapters depend on. */
export interface AdapterOptions {
  readonly db: Db
  readonly cipher: Cipher
  readonly clock: () => Instant
  /** Creates the error thrown when a payload is consumed a second time. */
  readonly reuseError: () => Error
}

/** The hash under which an ID is stored; IDs are random, so their hashes cannot be reversed. */
export const hashId = (name: string): string => hash('sha256', name, 'base64url')

/**
 * The oidc-provider adapter of a kind of payload. IDs are stored as hashes, payloads encrypted, and
 * a payload is consumed once, whichever process is asked.
 */
export function payloadAdapter(kind: string, { db, cipher, clock, reuseError }: AdapterOptions) {
  const associatedData = (idHash: string) => payloadAssociatedData(kind, idHash)
  const decrypt = (row: store.StoredPayload | undefined): Payload | undefined => {
    const text = row && cipher.decrypt(row.payload, associatedData(row.id_hash))
    if (row === undefined || text === undefined) return undefined
    const { consumed_at } = row
    const consumed = consumed_at === null ? {} : { consumed: Math.floor(consumed_at / secondMs) }
    return { ...JSON.parse(text), ...consumed }
  }
  return {
    upsert: async (id: string, payload: Payload, expiresInSeconds: number): Promise<void> => {
      const id_hash = hashId(id)
      const references = referencesOf(payload)
      const now = clock()
      const expiresAt = now + expiresInSeconds * secondMs
      const { user_id: userId, client_id: clientId } = references
      const isGrant = kind === 'Grant'
      if (isGrant && userId !== null && clientId !== null && clientId !== consoleClientId) {
        await store.saveConsent(db, { userId, clientId, expiresAt }, now)
      }
      await store.savePayload(db, {
        kind,
        id_hash,
        payload: cipher.encrypt(JSON.stringify(payload), associatedData(id_hash)),
        ...references,
        expires_at: expiresAt,
        granted_scope: isGrant ? grantedScope(payload) : null,
      })
    },
    find: async (id: string) =>
      decrypt(await store.findPayload(db, { kind, hash: hashId(id), now: clock() })),
    findByUid: async (uid: string) =>
      decrypt(await store.findPayloadByUid(db, { kind, hash: hashId(uid), now: clock() })),
    findByUserCode: async () => undefined,
    consume: async (id: string): Promise<void> => {
      const use = { kind, hash: hashId(id), now: clock() }
      if (await store.consumePayload(db, use)) return
      // The first use may have been the thief's, so the tokens from it are revoked too.
      await store.revokeGrantOfPayload(db, use)
      throw reuseError()
    },
    destroy: async (id: string): Promise<void> => {
      if (kind === 'Grant') await store.revokeGrant(db, hashId(id), clock())
      else await oauthArtefacts.delete(db, { kind, id_hash: hashId(id) })
    },
    revokeByGrantId: async (grantId: string): Promise<void> => {
      await oauthArtefacts.delete(db, { kind, grant_hash: hashId(grantId) })
    },
  }
}

function grantedScope({ openid, rejected }: Payload): string {
  const rejectedScopes = rejected?.openid?.scope?.split(' ') ?? []
  const scopes = openid?.scope?.split(' ') ?? []
  return scopes.filter((scope) => !rejectedScopes.includes(scope)).join(' ')
}

/** The columns by which a payload is found when its user, client or grant is removed. */
function referencesOf(payload: Payload) {
  const { grantId, uid, clientId, params, session, result } = payload
  const accountId = payload.accountId ?? session?.accountId ?? result?.login?.accountId
  return {
    grant_hash: grantId === undefined ? null : hashId(grantId),
    uid_hash: uid === undefined ? null : hashId(uid),
    client_id: clientId ?? params?.client_id ?? null,
    user_id: toIdentifier(accountId ?? '') ?? null,
  }
}
