import type { Client, Context, Provider } from 'oidc-provider'
import type { NetworkParts } from '#shop/access/known-networks.ts'
import { findAccount } from '#shop/access/oauth/account.ts'
import type { Library } from '#shop/access/oauth/library.ts'
import { allScopes, splitGrantableScopes } from '#shop/access/oauth/scopes.ts'
import { isSignInCurrent, type LoginAccount } from '#shop/accounts/passwords/account-store.ts'
import { findAccountByPassword } from '#shop/accounts/passwords/sign-in.ts'
import type { PasswordCheckParts } from '#shop/accounts/passwords/verify.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'

/** What the verification of passwords and the password grant depend on. */
export interface PasswordGrantParts extends PasswordCheckParts, NetworkParts {
  readonly db: Db
  readonly issuer: string
  readonly clock: () => Instant
}

/** The name and password of a sign-in with OAuth; `name` is a username or an email. */
interface OauthCredentials {
  readonly address: string
  readonly requestId: string | null
  readonly name: string
  readonly password: string
}

/**
 * Returns the account that a name and a password identify, suspended ones included; undefined if
 * they do not match. Records the sign-in of an active account, and a failed one. Throws 429/4291
 * after too many failures.
 */
export async function signInWithPassword(
  parts: PasswordGrantParts,
  { address, requestId, name, password }: OauthCredentials,
): Promise<LoginAccount | undefined> {
  const { db, clock, knownNetworks } = parts
  const at = clock()
  const auditActor = { actorId: null, credential: 'password', address, requestId, at }
  const account = await findAccountByPassword(db, parts, { name, password, auditActor })
  if (account?.status === 'active') {
    const { id } = account
    knownNetworks.recordNetwork(id, address, at)
    await recordAuditEvent(
      db,
      { ...auditActor, actorId: id },
      { action: 'signed_in', subjectId: id },
    )
  }
  return account
}

/** Registers the resource owner password credentials grant (RFC 6749 4.3) with oidc-provider. */
export function registerPasswordGrant(
  provider: Provider,
  library: Library,
  parts: PasswordGrantParts,
): void {
  const { InvalidGrant, InvalidRequest, InvalidScope } = library.errors
  const paramNames = ['username', 'password', 'scope', 'resource']
  provider.registerGrantType(
    'password',
    async (ctx) => {
      const { client, params = {} } = ctx.oidc
      const { username, password } = params
      if (!client || username === undefined || password === undefined) {
        throw new InvalidRequest("missing required parameter(s) 'username' and 'password'")
      }
      const requestId = ctx.headers['x-request-id'] ?? null
      const credentials = { address: ctx.ip, requestId, name: username, password }
      const account = await signInWithPassword(parts, credentials).catch((error: unknown) => {
        throw toProviderError(error, library, ctx)
      })
      if (account?.status !== 'active') throw new InvalidGrant()
      const allowed = client.scope?.split(' ') ?? allScopes
      const requested = params['scope']?.split(' ') ?? allowed
      const isAllowed = requested.every((scope) => allowed.includes(scope))
      if (!isAllowed) throw new InvalidScope('requested scope is not allowed')
      const { granted } = splitGrantableScopes(requested, account.role)
      ctx.body = await issueTokens(provider, library, ctx, { parts, client, granted, account })
    },
    paramNames,
  )
}

/** Turns a Problem, too many attempts, into an error that oidc-provider sends to the client. */
function toProviderError(error: unknown, { errors }: Library, ctx: Context): unknown {
  if (!(error instanceof Problem)) return error
  ctx.set({ ...error.headers })
  const oidcError = new errors.CustomOIDCProviderError(
    'temporarily_unavailable',
    'too many attempts',
  )
  return Object.assign(oidcError, { status: error.status, statusCode: error.status })
}

interface TokenRequest {
  readonly parts: PasswordGrantParts
  readonly client: Client
  readonly granted: readonly string[]
  readonly account: LoginAccount
}

/**
 * The token response (RFC 6749 5.1), with an ID token for `openid`. Throws the error of a wrong password
 * if it has changed since it was verified.
 */
async function issueTokens(
  provider: Provider,
  { errors }: Library,
  ctx: Context,
  { parts, client, granted, account }: TokenRequest,
): Promise<object> {
  const { issuer, db } = parts
  const sub = String(account.id)
  const grant = new provider.Grant({ accountId: sub, clientId: client.clientId })
  const scope = granted.join(' ')
  if (scope !== '') {
    grant.addOIDCScope(scope)
    grant.addResourceScope(issuer, scope)
  }
  const common = { accountId: sub, client, grantId: await grant.save(), gty: 'password' }
  // Whoever changes the password from now on ends the grant, and with it the tokens.
  if (!(await isSignInCurrent(db, account))) {
    await grant.destroy()
    throw new errors.InvalidGrant()
  }
  const access = new provider.AccessToken(common)
  const server = { scope: allScopes.join(' '), audience: issuer, accessTokenFormat: 'jwt' }
  access.resourceServer = new provider.ResourceServer(issuer, server)
  access.scope = scope
  const response = {
    access_token: await access.save(),
    expires_in: access.expiration,
    token_type: 'Bearer',
    ...(scope === '' ? {} : { scope }),
    ...(granted.includes('openid') ? await issueIdToken(provider, ctx, { db, sub, scope }) : {}),
  }
  if (!client.grantTypeAllowed('refresh_token')) return response
  const refresh = new provider.RefreshToken({ ...common, scope, resource: issuer, rotations: 0 })
  return { ...response, refresh_token: await refresh.save() }
}

async function issueIdToken(
  provider: Provider,
  ctx: Context,
  { db, sub, scope }: { readonly db: Db; readonly sub: string; readonly scope: string },
): Promise<object> {
  const account = await findAccount(db, sub)
  if (!account) return {}
  const token = new provider.IdToken(await account.claims(), { ctx })
  token.scope = scope
  return { id_token: await token.issue({ use: 'idtoken' }) }
}
