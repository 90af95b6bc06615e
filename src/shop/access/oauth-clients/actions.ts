import { randomBytes } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import { requireFreshSignIn } from '#http/declare/permissions.ts'
import { requireCredentialMaker } from '#shop/access/credential-maker.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { requirePresent } from '#shop/require-present.ts'
import { hashSecret, makeSecret } from '#src/secrets/secrets.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import {
  type ClientAction,
  clientEvent,
  isConfidentialClient,
  isWider,
  type OauthClientState,
} from './rules.ts'
import * as store from './store.ts'
import { type OauthClientRow, oauthClients } from './table.ts'

/** A client, with its secret only in the response that creates it. */
export type IssuedOauthClient = OauthClientRow & { readonly secret?: string }

/** Generates a secret and the hash to store. */
function generateSecret(): { readonly secret: string; readonly secretHash: string } {
  const secret = makeSecret()
  return { secret, secretHash: hashSecret(secret) }
}

/**
 * Registers a client, with a secret if it is confidential, and records an audit event. Throws as
 * `requireCredentialMaker`.
 */
export async function registerClient(
  ctx: Context,
  state: OauthClientState,
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  await requireCredentialMaker(ctx)
  const client_id = `cwc_${randomBytes(16).toString('base64url')}`
  const generated = isConfidentialClient(state) ? generateSecret() : undefined
  const identity = { client_id, secret_hash: generated?.secretHash ?? null }
  const client = await store.insertClient(db, identity, state, now)
  await recordClientEvent(ctx, 'oauth_client_created', client)
  return generated ? { ...client, secret: generated.secret } : client
}

/**
 * Updates a client, if anything has changed, and records an audit event. A client that becomes
 * confidential gets a secret; a client that becomes public loses it (RFC 6749 section 2.1). A change that
 * lets it do more needs what registering one needs: throws 403/4031 without a fresh sign-in, and as
 * `requireCredentialMaker`.
 */
export async function updateClient(
  ctx: Context,
  current: OauthClientRow,
  state: OauthClientState,
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  const isPublic = !isConfidentialClient(state)
  const generated = isPublic || current.secret_hash !== null ? undefined : generateSecret()
  const secret_hash = isPublic ? null : (generated?.secretHash ?? current.secret_hash)
  const next = { ...state, secret_hash }
  if (isUnchanged(current, next)) return current
  if (isWider(current, state)) {
    requireFreshSignIn(ctx)
    await requireCredentialMaker(ctx)
  }
  const client = await store.saveClient(db, current, next, now)
  await recordClientEvent(ctx, 'oauth_client_changed', client)
  return generated ? { ...client, secret: generated.secret } : client
}

/**
 * Replaces the secret of a client and records an audit event; the previous secret stays valid for
 * `graceSeconds`. Throws 404/4041, 410/4101 for a removed client, and 409/4091 for a client
 * without a secret.
 */
export async function rotateSecret(
  ctx: Context,
  {
    oauthClientId,
    graceSeconds,
  }: { readonly oauthClientId: number; readonly graceSeconds: number },
): Promise<IssuedOauthClient> {
  const { db, now } = ctx
  const current = requirePresent('oauth_client', await oauthClients.find(db, { id: oauthClientId }))
  if (current.secret_hash === null) throw problem('4091', 'client.no_secret')
  const { secret, secretHash } = generateSecret()
  const until = now + graceSeconds * secondMs
  const client = await store.replaceSecret(db, current, { secretHash, until }, now)
  await recordClientEvent(ctx, 'oauth_client_rotated', client)
  return { ...client, secret }
}

/** Removes a client and everything issued to it, and records an audit event. */
export async function removeClient(ctx: Context, client: OauthClientRow): Promise<void> {
  await store.removeClient(ctx.db, client, ctx.now)
  await recordClientEvent(ctx, 'oauth_client_removed', client)
}

const recordClientEvent = (
  { db, auditActor }: Context,
  action: ClientAction,
  client: OauthClientRow,
): Promise<void> => recordAuditEvent(db, auditActor(), clientEvent(action, client))
