import { hash } from 'node:crypto'
import type { Payload } from 'oidc-provider'
import type { Db } from '#db/database.ts'
import type { Sealer } from '#http/pipeline/idempotency/middleware.ts'
import { toIdentifier } from '#values/identifier.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import * as store from './store.ts'

/** What artefacts are kept with. */
export interface AdapterOptions {
  readonly db: Db
  readonly sealer: Sealer
  readonly clock: () => Instant
  /** What the library is told where an artefact was used by two at once. */
  readonly reused: () => Error
}

/** The hash under which an artefact is kept; its name is too random to be guessed by it. */
export const nameHash = (name: string): string => hash('sha256', name, 'base64url')

/** The name that an artefact is sealed under. */
export const payloadSealName = (kind: string, idHash: string): string => `oauth ${kind} ${idHash}`

/**
 * Keeps the artefacts of the library, as its adapter: hashed names, sealed payloads. What is used
 * once is used once, however many processes are asked at the same moment.
 */
export function payloadsOf(kind: string, { db, sealer, clock, reused }: AdapterOptions) {
  const sealName = (idHash: string) => payloadSealName(kind, idHash)
  const read = (row: store.StoredPayload | undefined): Payload | undefined => {
    const text = row && sealer.open(row.payload, sealName(row.id_hash))
    if (row === undefined || text === undefined) return undefined
    const { consumed_at } = row
    const consumed = consumed_at === null ? {} : { consumed: Math.floor(consumed_at / secondMs) }
    return { ...JSON.parse(text), ...consumed }
  }
  return {
    upsert: async (id: string, payload: Payload, expiresInSeconds: number): Promise<void> => {
      const id_hash = nameHash(id)
      const index = indexOf(payload)
      const now = clock()
      const expiresAt = now + expiresInSeconds * secondMs
      const { user_id: userId, client_id: clientId } = index
      const isGrant = kind === 'Grant'
      if (isGrant && userId !== null && clientId !== null) {
        await store.grantConsent(db, { userId, clientId, expiresAt }, now)
      }
      await store.savePayload(db, {
        kind,
        id_hash,
        payload: sealer.seal(JSON.stringify(payload), sealName(id_hash)),
        ...index,
        expires_at: expiresAt,
        granted_scope: isGrant ? grantedIn(payload) : null,
      })
    },
    find: async (id: string) => read(await store.findPayload(db, kind, nameHash(id), clock())),
    findByUid: async (uid: string) =>
      read(await store.findPayloadByUid(db, kind, nameHash(uid), clock())),
    findByUserCode: async () => undefined,
    consume: async (id: string): Promise<void> => {
      const idHash = nameHash(id)
      if (await store.consumePayload(db, kind, idHash, clock())) return
      // Whoever was first may be the thief: neither keeps what came of it.
      await store.revokeGrantOfPayload(db, kind, idHash, clock())
      throw reused()
    },
    destroy: async (id: string): Promise<void> => {
      if (kind === 'Grant') await store.revokeGrant(db, nameHash(id), clock())
      else await store.removePayload(db, kind, nameHash(id))
    },
    revokeByGrantId: async (grantId: string): Promise<void> => {
      await store.removeGrantedPayloads(db, kind, nameHash(grantId))
    },
  }
}

interface GrantPayload {
  readonly openid?: { readonly scope?: string }
  readonly rejected?: GrantPayload
}

/** The scopes that a grant holds, but for those that its user may not give. */
function grantedIn(payload: Payload): string {
  const scopesIn = ({ openid }: GrantPayload) => openid?.scope?.split(' ') ?? []
  const granting = payload as GrantPayload
  const rejected = scopesIn(granting.rejected ?? {})
  return scopesIn(granting)
    .filter((scope) => !rejected.includes(scope))
    .join(' ')
}

interface InteractionPayload {
  readonly session?: { readonly accountId?: string }
  readonly result?: { readonly login?: { readonly accountId?: string } }
  readonly params?: { readonly client_id?: string }
}

/** What an artefact is found by when its user leaves, its client is removed or its grant withdrawn. */
function indexOf(payload: Payload) {
  const { session, params, result } = payload as InteractionPayload
  const accountId = payload.accountId ?? session?.accountId ?? result?.login?.accountId
  return {
    grant_hash: payload.grantId === undefined ? null : nameHash(payload.grantId),
    uid_hash: payload.uid === undefined ? null : nameHash(payload.uid),
    client_id: payload.clientId ?? params?.client_id ?? null,
    user_id: toIdentifier(accountId ?? '') ?? null,
  }
}
