import type { Client, Context, Provider } from 'oidc-provider'
import { findAccountByLoginName, type LoginAccount } from '#auth/accounts.ts'
import type { KnownNetworks } from '#auth/known-networks.ts'
import { findAccount } from '#auth/oauth/account.ts'
import type { Library } from '#auth/oauth/library.ts'
import { everyScope, grantable } from '#auth/oauth/scopes.ts'
import type { Db } from '#db/database.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { recordAuditEvent } from '#resources/audit-events/record.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'

/** What the verification of passwords and the password grant depend on. */
export interface PasswordGrantDependencies {
  readonly db: Db
  readonly issuer: string
  readonly clock: () => Instant
  readonly passwords: {
    readonly matches: (password: string, hash: string | null) => Promise<boolean>
  }
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'recordNetwork'>
}

/** An attempt to sign in; `name` is a username or an email. */
export interface PasswordAttempt {
  readonly address: string
  readonly requestId: string | null
  readonly name: string
  readonly password: string
}

/**
 * The account that a name and a password identify, suspended ones included, removed ones not;
 * undefined if they do not match. Attempts are throttled and audited as those of `/login` are.
 * Throws 429/4291 if there were too many.
 */
export async function verifyPassword(
  { db, clock, passwords, loginThrottle, knownNetworks }: PasswordGrantDependencies,
  { address, requestId, name, password }: PasswordAttempt,
): Promise<LoginAccount | undefined> {
  const at = clock()
  const auditActor = { credential: 'password', address, requestId, at }
  const verified = await loginThrottle.check({ address, name, now: at }, async () => {
    const account = await findAccountByLoginName(db, name)
    const isRight = await passwords.matches(password, account?.password_hash ?? null)
    if (isRight && account?.deleted_at === null) return account
    const failure = { action: 'sign_in_failed', subjectId: account?.id ?? null } as const
    await recordAuditEvent(db, { ...auditActor, actorId: null }, failure)
    return undefined
  })
  if (verified?.status === 'active') {
    const { id } = verified
    knownNetworks.recordNetwork(id, address, at)
    await recordAuditEvent(
      db,
      { ...auditActor, actorId: id },
      { action: 'signed_in', subjectId: id },
    )
  }
  return verified
}

/** Registers the resource owner password credentials grant (RFC 6749 4.3) with oidc-provider. */
export function registerPasswordGrant(
  provider: Provider,
  library: Library,
  dependencies: PasswordGrantDependencies,
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
      const attempt = { address: ctx.ip, requestId, name: username, password }
      const account = await verifyPassword(dependencies, attempt).catch((error: unknown) => {
        throw toProviderError(error, library, ctx)
      })
      if (account?.status !== 'active') throw new InvalidGrant()
      const allowed = client.scope?.split(' ') ?? everyScope
      const requested = params['scope']?.split(' ') ?? allowed
      const isAllowed = requested.every((scope) => allowed.includes(scope))
      if (!isAllowed) throw new InvalidScope('requested scope is not allowed')
      const { granted } = grantable(requested, account.role)
      const sub = String(account.id)
      ctx.body = await issueTokens(provider, ctx, { dependencies, client, granted, sub })
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
  readonly dependencies: PasswordGrantDependencies
  readonly client: Client
  readonly granted: readonly string[]
  readonly sub: string
}

/** The token response (RFC 6749 5.1), with an ID token for `openid`. */
async function issueTokens(
  provider: Provider,
  ctx: Context,
  { dependencies, client, granted, sub }: TokenRequest,
): Promise<object> {
  const { issuer, db } = dependencies
  const grant = new provider.Grant({ accountId: sub, clientId: client.clientId })
  const scope = granted.join(' ')
  if (scope !== '') {
    grant.addOIDCScope(scope)
    grant.addResourceScope(issuer, scope)
  }
  const common = { accountId: sub, client, grantId: await grant.save(), gty: 'password' }
  const access = new provider.AccessToken(common)
  const server = { scope: everyScope.join(' '), audience: issuer, accessTokenFormat: 'jwt' }
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
