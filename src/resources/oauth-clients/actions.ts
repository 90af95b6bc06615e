import { hash, randomBytes } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { AuditAction } from '#values/audit-action.ts'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { isConfidential, type OauthClientState } from './rules.ts'
import * as store from './store.ts'

/** A client as it is told; the secret only where it has just been made. */
export type IssuedOauthClient = store.OauthClientRecord & { readonly secret?: string }

/** A secret that nobody guesses, and the hash under which it is kept. */
function makeSecret(): { readonly secret: string; readonly hashed: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hashed: hash('sha256', secret, 'base64url') }
}

/** Registers a client, with a secret if it can keep one, and writes down that it did. */
export async function registerClient(
  ctx: Context,
  state: OauthClientState,
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  const client_id = `cwc_${randomBytes(16).toString('base64url')}`
  const made = isConfidential(state) ? makeSecret() : undefined
  const identity = { client_id, secret_hash: made?.hashed ?? null }
  const client = await store.insertClient(db, identity, state, now)
  await record(ctx, 'oauth_client_created', client)
  return made ? { ...client, secret: made.secret } : client
}

/**
 * Changes a client, and writes that down; one that now has to prove who it is gets a secret, one
 * that cannot loses it.
 */
export async function changeClient(
  ctx: Context,
  current: store.OauthClientRecord,
  state: OauthClientState,
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  const isOpen = !isConfidential(state)
  const made = isOpen || current.secret_hash !== null ? undefined : makeSecret()
  const secret_hash = isOpen ? null : (made?.hashed ?? current.secret_hash)
  const client = await store.saveClient(db, current, { ...state, secret_hash }, now)
  await record(ctx, 'oauth_client_changed', client)
  return made ? { ...client, secret: made.secret } : client
}

/** Gives a client another secret, and writes that down; the one it had is taken until then. */
export async function rotateSecret(
  ctx: Context,
  {
    oauthClientId,
    graceSeconds,
  }: { readonly oauthClientId: number; readonly graceSeconds: number },
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  const name = 'oauth_client'
  const current = await store.findClient(db, oauthClientId)
  if (!current) throw problem('4041', 'detail.no_resource', { name })
  if (current.deleted_at !== null) throw problem('4101', 'detail.gone', { name })
  if (current.secret_hash === null) throw problem('4091', 'client.no_secret')
  const { secret, hashed } = makeSecret()
  const until = now + graceSeconds * secondMs
  const client = await store.replaceSecret(db, current, { hashed, until }, now)
  await record(ctx, 'oauth_client_rotated', client)
  return { ...client, secret }
}

/** Removes a client and all that was issued to it, and writes that down. */
export async function removeClient(ctx: Context, client: store.OauthClientRecord): Promise<void> {
  await store.removeClient(ctx.db, client, ctx.now)
  await record(ctx, 'oauth_client_removed', client)
}

const record = (
  { db, auditActor }: Context,
  action: Extract<AuditAction, `oauth_client_${string}`>,
  { id, client_id, user_id, scope }: store.OauthClientRecord,
): Promise<void> => {
  const details = { oauth_client: id, client_id, scope }
  return recordEvent(db, auditActor(), { action, subjectId: user_id, details })
}
