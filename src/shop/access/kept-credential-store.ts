import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import type { Credential } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { isFreshSignIn } from '#http/declare/permissions.ts'
import { nullable } from '#schema/words.ts'
import { isAdmin } from '#shop/accounts/users/rules.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import type { Scope } from '#shop/scopes.ts'
import { isWorkingSecret } from '#shop/working-key-store.ts'
import { hashSecret } from '#src/secrets/secrets.ts'
import { text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { consoleClientId } from './oauth/console-client.ts'
import { hashId } from './oauth/storage/adapter.ts'
import { oauthArtefacts } from './oauth/storage/table.ts'
import { findLiveAccessToken } from './oauth/store.ts'
import { sessions } from './sessions/table.ts'

/** The credential of an administrator, as work that goes on after its request keeps it. No part is a secret. */
export interface KeptCredential {
  /** True if it proved the password of the account. */
  readonly isFullSignIn: boolean
  /** True if it did so at most ten minutes before. */
  readonly isFreshSignIn: boolean
  /** True if it has the scope that storing files needs. */
  readonly mayWriteFiles: boolean
  /** The hash of the secret of an API key. */
  readonly secretHash: string | null
  readonly sessionId: number | null
  /** The hash of the stored hash of the password that Basic or Digest proved. */
  readonly passwordHash: string | null
  readonly token: KeptToken | null
}

/** An access token of an OAuth client. */
interface KeptToken {
  readonly idHash: string
  readonly expiresAt: Instant | null
  readonly clientId: string
  readonly grantHash: string | null
  /** The key of the browser session that the token belongs to. */
  readonly family: string | null
}

/** Returns what `isCredentialLive` needs of the credential of a caller. */
export async function keepCredential({
  db,
  actor,
  now,
}: Pick<Context, 'db' | 'actor' | 'now'>): Promise<KeptCredential> {
  const { credential, isFullSignIn } = actor
  const { secretHash = null, sessionId = null, passwordHash = null } = credential ?? {}
  return {
    isFullSignIn,
    isFreshSignIn: isFullSignIn && isFreshSignIn({ actor, now }),
    mayWriteFiles: actor.scopes.has('files:write'),
    secretHash,
    sessionId,
    passwordHash: passwordHash === null ? null : hashSecret(passwordHash),
    token: credential?.scheme === 'bearer' ? await keptToken(db, credential) : null,
  }
}

async function keptToken(
  db: Db,
  { id, clientId, grantHash = null, authority }: Credential,
): Promise<KeptToken | null> {
  if (clientId === null || id === null || authority === 'password') return null
  const idHash = hashId(id)
  const stored = await oauthArtefacts.find(db, { kind: 'AccessToken', id_hash: idHash })
  const family = stored?.uid_hash ?? null
  return { idHash, expiresAt: authority.expiresAt, clientId, grantHash, family }
}

/**
 * True while a user is an active administrator, and while the credential that was kept would still be
 * accepted with these scopes. An access token stands for its grant, which lasts longer.
 */
export async function isCredentialLive(
  db: Db,
  userId: number | null,
  { secretHash, sessionId, passwordHash, token }: KeptCredential,
  scopes: readonly Scope[],
  now: Instant,
): Promise<boolean> {
  const user = userId === null ? undefined : await findUser(db, userId)
  if (!user || user.deleted_at !== null || !isAdmin(user)) return false
  if (passwordHash !== null && passwordHash !== hashSecret(user.password_hash ?? '')) return false
  if (secretHash !== null) return isWorkingSecret(db, secretHash, now)
  if (sessionId !== null) return isSessionLive(db, sessionId, now)
  if (token === null) return true
  const lasts = token.expiresAt !== null && now < token.expiresAt
  if (lasts && !(await findLiveAccessToken(db, token.idHash, now))) return false
  return isTokenGranted(db, token, scopes, now)
}

async function isSessionLive(db: Db, id: number, now: Instant): Promise<boolean> {
  const session = await sessions.find(db, { id, ended_at: null })
  return session !== undefined && session.expires_at > now
}

const grantOfToken = prepareSql(
  (_: Db, param: { clientId: string; grantHash: string; family: string; now: Instant }) => sql`
    select (select scope from oauth_clients
        where client_id = ${param.clientId} and deleted_at is null) as client_scope,
      exists (select 1 from oauth_artefacts where kind = 'Grant'
        and id_hash = ${param.grantHash} and expires_at > ${param.now}) as has_grant,
      exists (select 1 from sessions where family = ${param.family}
        and ended_at is null and expires_at > ${param.now}) as has_session`,
  {
    client_scope: nullable(text),
    has_grant: Type.Unsafe<SqlBool>({}),
    has_session: Type.Unsafe<SqlBool>({}),
  },
)

async function isTokenGranted(
  db: Db,
  { clientId, grantHash, family }: KeptToken,
  scopes: readonly Scope[],
  now: Instant,
): Promise<boolean> {
  // '' is no hash.
  const key = { clientId, grantHash: grantHash ?? '', family: family ?? '', now }
  const found = await grantOfToken.first(db, key)
  if (!found || (grantHash !== null && !found.has_grant)) return false
  if (family !== null && !found.has_session) return false
  const clientScopes = found.client_scope?.split(' ') ?? []
  return clientId === consoleClientId || scopes.every((scope) => clientScopes.includes(scope))
}
