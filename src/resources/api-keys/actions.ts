import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { ApiKeys } from '#resources/dependencies.ts'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { grantFor } from './rules.ts'
import type { ApiKeyBody } from './schema.ts'
import * as store from './store.ts'

/** A key and, where it has just been made, its secret. */
export type IssuedApiKey = store.ApiKeyState & { readonly key?: string }

/** What a new key ends with: the API key or the OAuth client and grant that it is made with. */
async function originOf({ db, actor }: Context): Promise<store.KeyOrigin> {
  const { credential } = actor
  if (credential?.scheme !== 'api-key') {
    return {
      parent_id: null,
      parent_client_id: credential?.clientId ?? null,
      parent_grant_hash: credential?.grantHash ?? null,
    }
  }
  const parent = await store.lockKey(db, Number(credential.id))
  // Revoked since the request was admitted.
  if (!parent || parent.revoked_at !== null) throw problem('4012', 'detail.bad_key')
  const { id, parent_client_id, parent_grant_hash } = parent
  return { parent_id: id, parent_client_id, parent_grant_hash }
}

const tell = (
  { db, auditActor }: Context,
  action: 'api_key_created' | 'api_key_rotated' | 'api_key_revoked',
  { id, user_id }: Pick<store.ApiKeyState, 'id' | 'user_id'>,
): Promise<void> => recordEvent(db, auditActor(), { action, subjectId: user_id, details: { id } })

/** Makes a key for the caller, who is shown it this once. */
export async function makeKey(
  keys: ApiKeys,
  ctx: Context,
  body: ApiKeyBody,
): Promise<IssuedApiKey> {
  const { db, actor, now } = ctx
  if (actor.userId === null) throw problem('4031', 'detail.not_owner')
  const grant = grantFor(body, actor, now)
  const { key, ...secret } = keys.make()
  const made = { user_id: actor.userId, name: body.name, grant, origin: await originOf(ctx) }
  const kept = await store.insertKey(db, made, secret, now)
  await tell(ctx, 'api_key_created', kept)
  return { ...kept, key }
}

/** Gives a key another secret; those it had are taken for `graceSeconds` more. */
export async function rotateKey(
  keys: ApiKeys,
  ctx: Context,
  { keyId, graceSeconds }: { readonly keyId: number; readonly graceSeconds: number },
): Promise<IssuedApiKey> {
  const { db, now } = ctx
  const current = await store.findKey(db, keyId)
  if (!current || current.revoked_at !== null)
    throw problem('4101', 'detail.gone', { name: 'api_key' })
  const { key, ...secret } = keys.make()
  const until = now + graceSeconds * secondMs
  const kept = await store.replaceSecret(db, current, secret, { until, now })
  await tell(ctx, 'api_key_rotated', kept)
  return { ...kept, key }
}

/** Revokes a key and every key that was made with it, from the next request on. */
export async function endKey(ctx: Context, key: IssuedApiKey): Promise<void> {
  await store.revokeKey(ctx.db, key, ctx.now)
  await tell(ctx, 'api_key_revoked', key)
  for (const made of await store.revokeDescendants(ctx.db, key.id, ctx.now)) {
    await tell(ctx, 'api_key_revoked', made)
  }
}
