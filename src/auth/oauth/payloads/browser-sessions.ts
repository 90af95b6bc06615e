import type { Context, Payload } from 'oidc-provider'
import type { Library } from '#auth/oauth/library.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import { toIdentifier } from '#values/identifier.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import { prolongedUntil } from '#values/session-lifetime.ts'
import { type AdapterOptions, nameHash, payloadsOf } from './adapter.ts'
import { endSessionOf, findLiveSession, prolongSession } from './session-store.ts'

/** By how much each use prolongs a browser session. */
export const browserSessionMs = 14 * dayMs

/**
 * Keeps the browser sessions of the library, as its adapter. That of a user counts for as long as
 * its row in `sessions` has not ended, and for 90 days at most; one without a user has no row.
 */
export function browserSessionsOf({ Provider, errors }: Library, keeping: AdapterOptions) {
  const payloads = payloadsOf('Session', keeping)
  const { db, clock } = keeping
  const standing = async (found: Payload | undefined): Promise<Payload | undefined> => {
    if (found?.accountId === undefined) return found
    const session = await findLiveSession(db, namedBy(found), clock())
    return session && found
  }
  return {
    ...payloads,
    find: async (id: string) => standing(await payloads.find(id)),
    findByUid: async (uid: string) => standing(await payloads.findByUid(uid)),
    upsert: async (id: string, payload: Payload, expiresInSeconds: number): Promise<void> => {
      const isOver =
        payload.accountId !== undefined && !(await goOn(keeping, payload, Provider.ctx))
      if (isOver) throw new errors.SessionNotFound('the session has ended')
      await payloads.upsert(id, payload, expiresInSeconds)
    },
    destroy: async (id: string): Promise<void> => {
      const { ctx } = Provider
      // A session that gets another name is not over.
      if (ctx?.oidc.session?.oldId !== id) await end(keeping, nameHash(id), ctx)
      await payloads.destroy(id)
    },
  }
}

const namedBy = ({ uid = '', accountId = '' }: Payload) => ({
  family: nameHash(uid),
  userId: toIdentifier(accountId) ?? 0,
})

/** Prolongs a session, or takes over the one that was begun on the page of signing in. */
async function goOn(
  { db, clock }: AdapterOptions,
  payload: Payload,
  ctx: Context | undefined,
): Promise<boolean> {
  const now = clock()
  const named = namedBy(payload)
  // All pages of one authorization request have it in common.
  const cid = ctx?.oidc.entities.Interaction?.cid
  const started = cid === undefined ? undefined : { ...named, family: nameHash(cid) }
  const session =
    (await findLiveSession(db, named, now)) ??
    (started && (await findLiveSession(db, started, now)))
  if (!session) return false
  const expiresAt = prolongedUntil(session.created_at, now, browserSessionMs)
  const { id } = session
  return prolongSession(db, { id, family: named.family, address: ctx?.ip ?? null, expiresAt }, now)
}

async function end(
  { db, clock }: AdapterOptions,
  idHash: string,
  ctx: Context | undefined,
): Promise<void> {
  const at: Instant = clock()
  const ended = await endSessionOf(db, idHash, at)
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
  await recordEvent(db, auditActor, event)
}
