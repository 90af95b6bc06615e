import type { Client, Context, Provider } from 'oidc-provider'
import { findAccountNamed, type NamedAccount } from '#auth/accounts.ts'
import type { KnownNetworks } from '#auth/known-networks.ts'
import { accountOf } from '#auth/oauth/account.ts'
import type { Library } from '#auth/oauth/library.ts'
import { everyScope, grantable } from '#auth/oauth/scopes.ts'
import type { Db } from '#db/database.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'

/** What passwords are checked with. */
export interface PasswordGrantDependencies {
  readonly db: Db
  readonly issuer: string
  readonly clock: () => Instant
  readonly passwords: {
    readonly matches: (password: string, hash: string | null) => Promise<boolean>
  }
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'note'>
}

/** A name and a password, and where they came from. */
export interface PasswordAttempt {
  readonly address: string
  readonly requestId: string | null
  readonly name: string
  readonly password: string
}

/**
 * The account that a name and a password prove, unless it was removed; undefined where they prove
 * nothing. A wrong one counts as one at signing in does, is refused with 429 as there, and both are
 * written down as there.
 */
export async function provenAccount(
  { db, clock, passwords, loginThrottle, knownNetworks }: PasswordGrantDependencies,
  { address, requestId, name, password }: PasswordAttempt,
): Promise<NamedAccount | undefined> {
  const at = clock()
  const auditActor = { credential: 'password', address, requestId, at }
  const proven = await loginThrottle.check({ address, name, now: at }, async () => {
    const account = await findAccountNamed(db, name)
    const isRight = await passwords.matches(password, account?.password_hash ?? null)
    if (isRight && account?.deleted_at === null) return account
    const failed = { action: 'sign_in_failed', subjectId: account?.id ?? null } as const
    await recordEvent(db, { ...auditActor, actorId: null }, failed)
    return undefined
  })
  if (proven?.status === 'active') {
    const { id } = proven
    knownNetworks.note(id, address, at)
    await recordEvent(db, { ...auditActor, actorId: id }, { action: 'signed_in', subjectId: id })
  }
  return proven
}

/** Teaches the library the resource owner's password as a grant (RFC 6749 4.3). */
export function passwordGrant(
  provider: Provider,
  library: Library,
  dependencies: PasswordGrantDependencies,
): void {
  const { InvalidGrant, InvalidRequest, InvalidScope } = library.errors
  const params = ['username', 'password', 'scope', 'resource']
  provider.registerGrantType(
    'password',
    async (ctx) => {
      const { client, params: sent = {} } = ctx.oidc
      const { username, password } = sent
      if (!client || username === undefined || password === undefined) {
        throw new InvalidRequest("missing required parameter(s) 'username' and 'password'")
      }
      const requestId = ctx.headers['x-request-id'] ?? null
      const tried = { address: ctx.ip, requestId, name: username, password }
      const account = await provenAccount(dependencies, tried).catch((error: unknown) => {
        throw inLibraryWords(error, library, ctx)
      })
      if (account?.status !== 'active') throw new InvalidGrant()
      const allowed = scopesOf(client)
      const asked = sent['scope']?.split(' ') ?? allowed
      const unknown = asked.find((scope) => !allowed.includes(scope))
      if (unknown !== undefined) throw new InvalidScope('requested scope is not allowed')
      const { granted } = grantable(asked, account.role)
      ctx.body = await issue(provider, ctx, {
        dependencies,
        client,
        granted,
        sub: String(account.id),
      })
    },
    params,
  )
}

/** Too many tries, in a form that the library tells the client. */
function inLibraryWords(error: unknown, { errors }: Library, ctx: Context): unknown {
  if (!(error instanceof Problem)) return error
  ctx.set({ ...error.headers })
  const told = new errors.CustomOIDCProviderError('temporarily_unavailable', 'too many attempts')
  return Object.assign(told, { status: error.status, statusCode: error.status })
}

const scopesOf = (client: Client): readonly string[] => client.scope?.split(' ') ?? everyScope

interface TokenRequest {
  readonly dependencies: PasswordGrantDependencies
  readonly client: Client
  readonly granted: readonly string[]
  readonly sub: string
}

async function issue(provider: Provider, ctx: Context, issuing: TokenRequest): Promise<object> {
  const { dependencies, client, granted, sub } = issuing
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
  const answer = {
    access_token: await access.save(),
    expires_in: access.expiration,
    token_type: 'Bearer',
    ...(scope === '' ? {} : { scope }),
  }
  const told = { ...answer, ...(await identify(provider, ctx, { db, sub, granted })) }
  if (!client.grantTypeAllowed('refresh_token')) return told
  const refresh = new provider.RefreshToken({ ...common, scope, resource: issuer, rotations: 0 })
  return { ...told, refresh_token: await refresh.save() }
}

/** An ID token, where one is asked for. */
async function identify(
  provider: Provider,
  ctx: Context,
  {
    db,
    sub,
    granted,
  }: Pick<PasswordGrantDependencies, 'db'> & Pick<TokenRequest, 'sub' | 'granted'>,
): Promise<object> {
  const account = granted.includes('openid') ? await accountOf(db, sub) : undefined
  if (!account) return {}
  const token = new provider.IdToken(await account.claims(), { ctx })
  token.scope = granted.join(' ')
  return { id_token: await token.issue({ use: 'idtoken' }) }
}
