import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { resourceWord } from '#i18n/message.ts'
import { isConfirmed } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { apiKeyIdOf } from '#shop/key-id.ts'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { createGrant, requireFewKeys, requireRateLimitChange } from './rules.ts'
import type { ApiKeyBody, ApiKeyPatch } from './schema.ts'
import { makeApiKey } from './secret.ts'
import * as store from './store.ts'
import { type ApiKeyRow, apiKeys } from './table.ts'

/** A key, with its secret only in the response that creates or rotates it. */
export type IssuedApiKey = ApiKeyRow & {
  readonly key?: string
  /** True if the credential of the caller may rotate it. */
  readonly is_rotatable: boolean
}

/** Adds to keys whether the credential of the caller may rotate them. */
export async function withRotatable<K extends ApiKeyRow>(
  ctx: Pick<Context, 'db' | 'actor'>,
  keys: readonly K[],
): Promise<(K & { readonly is_rotatable: boolean })[]> {
  const isRotatable = await rotatableBy(ctx)
  return keys.map((key) => ({ ...key, is_rotatable: isRotatable(key) }))
}

/** Returns the key with this ID, revoked keys included. */
export async function loadKey(
  ctx: Pick<Context, 'db' | 'actor'>,
  id: number,
): Promise<IssuedApiKey | undefined> {
  const found = await apiKeys.find(ctx.db, { id })
  return found && (await withRotatable(ctx, [found]))[0]
}

/**
 * Returns the API key, or the OAuth client and grant, whose revocation revokes the new key, and the rate
 * limit that the new key shares with that API key.
 */
async function findKeyOrigin({ db, actor }: Context): Promise<store.KeyOrigin> {
  const { credential } = actor
  if (credential?.scheme !== 'api-key') {
    return {
      parent_id: null,
      parent_client_id: credential?.clientId ?? null,
      parent_grant_hash: credential?.grantHash ?? null,
      rate_limit: null,
      rate_limit_key_id: null,
    }
  }
  const parent = await apiKeys.find(db, { id: Number(credential.id) }, { locks: true })
  // Revoked after the request was authenticated.
  if (!parent || parent.revoked_at !== null) throw problem('4012', 'detail.bad_key')
  const { id, parent_client_id, parent_grant_hash, rate_limit } = parent
  const rate_limit_key_id = rate_limit === null ? null : (parent.rate_limit_key_id ?? id)
  return { parent_id: id, parent_client_id, parent_grant_hash, rate_limit, rate_limit_key_id }
}

const recordKeyEvent = (
  { db, auditActor }: Context,
  action: 'api_key_created' | 'api_key_changed' | 'api_key_rotated' | 'api_key_revoked',
  { id, user_id }: Pick<ApiKeyRow, 'id' | 'user_id'>,
): Promise<void> =>
  recordAuditEvent(db, auditActor(), { action, subjectId: user_id, details: { id } })

/**
 * Creates a key for the caller. Throws 403/4031 for a caller without a user, and 409/4091 for one with
 * too many keys, or without a confirmed address: whoever signs up with an address of somebody else
 * could keep a way in.
 */
export async function createKey(ctx: Context, body: ApiKeyBody): Promise<IssuedApiKey> {
  const { db, actor, now } = ctx
  if (actor.userId === null) throw problem('4031', 'detail.not_owner')
  const grant = createGrant(body, actor, now)
  const { rate_limit = null } = body
  if (rate_limit !== null) requireRateLimitChange(actor, rate_limit)
  const { key, ...secret } = makeApiKey()
  const user = await findUser(db, actor.userId)
  if (!user || !isConfirmed(user)) throw problem('4091', 'user.address_unconfirmed')
  requireFewKeys(await store.countKeys(db, actor.userId, now))
  const origin = await findKeyOrigin(ctx)
  const newKey = {
    user_id: actor.userId,
    name: body.name,
    grant,
    origin: rate_limit === null ? origin : { ...origin, rate_limit, rate_limit_key_id: null },
  }
  const created = await store.insertKey(db, newKey, secret, now)
  await recordKeyEvent(ctx, 'api_key_created', created)
  return { ...created, key, is_rotatable: true }
}

/**
 * Changes the name and the rate limit of a key; the keys created with it share the limit. Throws as
 * `requireRateLimitChange`.
 */
export async function changeKey(
  ctx: Context,
  current: IssuedApiKey,
  { name = current.name, rate_limit = current.rate_limit }: ApiKeyPatch,
): Promise<IssuedApiKey> {
  const { db, actor, now } = ctx
  const { is_rotatable } = current
  if (rate_limit === current.rate_limit) {
    return { ...(await store.saveKey(db, current, { name }, now)), is_rotatable }
  }
  requireRateLimitChange(actor, rate_limit)
  const saved = await store.saveKey(db, current, { name, rate_limit, rate_limit_key_id: null }, now)
  for (const descendant of await store.findDescendants(db, current.id)) {
    const shared = rate_limit === null ? null : current.id
    await store.saveKey(db, descendant, { rate_limit, rate_limit_key_id: shared }, now)
  }
  await recordKeyEvent(ctx, 'api_key_changed', saved)
  return { ...saved, is_rotatable }
}

/**
 * Replaces the secret of a key; earlier secrets stay valid for at most `graceSeconds`. Throws
 * 410/4101 for a revoked key, and 403 (4033, 4031) for one with further scopes, or that does not end
 * with the credential of the caller.
 */
export async function rotateKey(
  ctx: Context,
  { keyId, graceSeconds }: { readonly keyId: number; readonly graceSeconds: number },
): Promise<IssuedApiKey> {
  const { db, now } = ctx
  const current = await apiKeys.find(db, { id: keyId })
  if (!current || current.revoked_at !== null) {
    throw problem('4101', 'detail.gone', { name: resourceWord('api_key') })
  }
  const isRotatable = await rotatableBy(ctx)
  if (!isRotatable(current)) {
    for (const scope of current.scopes) requireScope(scope, ctx.actor)
    throw problem('4031', 'detail.full_sign_in')
  }
  const { key, ...secret } = makeApiKey()
  const until = now + graceSeconds * secondMs
  const rotated = await store.replaceSecret(db, current, secret, { until, now })
  await recordKeyEvent(ctx, 'api_key_rotated', rotated)
  return { ...rotated, key, is_rotatable: true }
}

/**
 * Returns which keys the caller may rotate: after a full sign-in all, else those that end with the
 * credential of the caller, which are the same key, those created with it, and those created with a token
 * of the same grant.
 */
async function rotatableBy({
  db,
  actor,
}: Pick<Context, 'db' | 'actor'>): Promise<(key: ApiKeyRow) => boolean> {
  if (actor.isFullSignIn) return () => true
  const keyId = apiKeyIdOf(actor)
  if (keyId !== null) {
    const created = await store.findDescendants(db, keyId)
    const ids = new Set([keyId, ...created.map(({ id }) => id)])
    return ({ id }) => ids.has(id)
  }
  const { clientId = null, grantHash = null } = actor.credential ?? {}
  return ({ parent_client_id, parent_grant_hash }) =>
    clientId !== null && parent_client_id === clientId && parent_grant_hash === grantHash
}

/**
 * Revokes a key and all keys created with it, directly or not, from the next request on. The dispatcher
 * disables the webhooks that they have set up.
 */
export async function revokeKey(ctx: Context, key: IssuedApiKey): Promise<void> {
  await store.revokeKey(ctx.db, key, ctx.now)
  const descendants = await store.revokeDescendants(ctx.db, key.id, ctx.now)
  for (const revoked of [key, ...descendants]) {
    await recordKeyEvent(ctx, 'api_key_revoked', revoked)
  }
}
