import type { Context, Payload } from 'oidc-provider'
import type { Library } from '#shop/access/oauth/library.ts'
import { extendSession } from '#shop/access/sessions/store.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { toIdentifier } from '#values/identifier.ts'
import { dayMs } from '#values/instant.ts'
import { extendedExpiry } from '#values/session-lifetime.ts'
import { type AdapterOptions, hashId, payloadAdapter } from './adapter.ts'
import { endSessionOfPayload, findActiveSession } from './session-store.ts'

/** How long a browser session lasts after each use. */
export const browserSessionMs = 14 * dayMs

/**
 * The oidc-provider adapter of browser sessions. The session of a user is valid while its row in
 * `sessions` is active, for at most 90 days; a session without a user has no row.
 */
export function browserSessionAdapter({ Provider, errors }: Library, options: AdapterOptions) {
  const payloads = payloadAdapter('Session', options)
  const { db, clock } = options
  const onlyActive = async (payload: Payload | undefined): Promise<Payload | undefined> => {
    if (payload?.accountId === undefined) return payload
    const session = await findActiveSession(db, sessionKeyOf(payload), clock())
    return session && payload
  }
  return {
    ...payloads,
    find: async (id: string) => onlyActive(await payloads.find(id)),
    findByUid: async (uid: string) => onlyActive(await payloads.findByUid(uid)),
    upsert: async (id: string, payload: Payload, expiresInSeconds: number): Promise<void> => {
      const hasEnded =
        payload.accountId !== undefined && !(await continueSession(options, payload, Provider.ctx))
      if (hasEnded) throw new errors.SessionNotFound('the session has ended')
      await payloads.upsert(id, payload, expiresInSeconds)
    },
    destroy: async (id: string): Promise<void> => {
      const { ctx } = Provider
      // A session that only gets a new ID goes on.
      if (ctx?.oidc.session?.oldId !== id) await endSession(options, hashId(id), ctx)
      await payloads.destroy(id)
    },
  }
}

const sessionKeyOf = ({ uid = '', accountId = '' }: Payload) => ({
  family: hashId(uid),
  userId: toIdentifier(accountId) ?? 0,
})

/** Extends the session, or takes over the one that the sign-in page started; false if it has ended. */
async function continueSession(
  { db, clock }: AdapterOptions,
  payload: Payload,
  ctx: Context | undefined,
): Promise<boolean> {
  const now = clock()
  const key = sessionKeyOf(payload)
  const cid = ctx?.oidc.entities.Interaction?.cid
  const signInKey = cid === undefined ? undefined : { ...key, family: hashId(cid) }
  const session =
    (await findActiveSession(db, key, now)) ??
    (signInKey && (await findActiveSession(db, signInKey, now)))
  if (!session) return false
  const expiresAt = extendedExpiry(session.created_at, now, browserSessionMs)
  const { id } = session
  return extendSession(db, { id, family: key.family, address: ctx?.ip ?? null, expiresAt }, now)
}

async function endSession(
  { db, clock }: AdapterOptions,
  idHash: string,
  ctx: Context | undefined,
): Promise<void> {
  const at = clock()
  const ended = await endSessionOfPayload(db, idHash, at)
  if (!ended) return
  const { id, user_id: userId } = ended
  const auditActor = {
    actorId: userId,
    credential: 'cookie',
    address: ctx?.ip ?? null,
    requestId: ctx?.headers['x-request-id'] ?? null,
    at,
  }
  const event = { action: 'signed_out', subjectId: userId, details: { id } } as const
  await recordAuditEvent(db, auditActor, event)
}
