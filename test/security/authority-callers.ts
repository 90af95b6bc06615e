import type { Role } from '#http/declare/actor.ts'
import { type Scope, scopes, scopesOfRole } from '#shop/scopes.ts'
import { type TestApp, type TestCaller, type TestRequest, testPassword } from '#test/support/app.ts'
import {
  createRelyingParty,
  signInAndConsent,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { hourMs, type Instant } from '#values/instant.ts'

/** A credential narrower than its user, and the limits of what it may grant. */
export interface NarrowCaller {
  readonly name: string
  readonly userId: number
  readonly scopes: readonly Scope[]
  readonly expiresAt: Instant | null
  readonly addresses: readonly string[] | null
  readonly request: TestRequest
}

type Shop = Pick<TestApp, 'request' | 'db' | 'now' | 'parts'>

const callback = 'http://127.0.0.1:9/callback'
const identityScopes = ['openid', 'profile', 'email', 'offline_access']

const requestWith =
  ({ request }: Shop, authorization: string): TestRequest =>
  (method, url, body, headers) =>
    request(method, url, body, { ...headers, authorization })

async function keyCaller(
  shop: Shop,
  holder: TestCaller,
  name: string,
  grant: {
    readonly scopes: readonly Scope[]
    readonly expires_at?: string
    readonly allowed_addresses?: readonly string[]
  },
): Promise<NarrowCaller> {
  const { status, json, text } = await holder.request('POST', '/api-keys', { name, ...grant })
  if (status !== 201) throw new Error(text)
  const { expires_at = null, allowed_addresses = null } = grant
  return {
    name: `an API key: ${name}`,
    userId: holder.id,
    scopes: grant.scopes,
    expiresAt: expires_at === null ? null : Date.parse(expires_at),
    addresses: allowed_addresses,
    request: requestWith(shop, `Api-Key ${json.key}`),
  }
}

/** API keys: without scopes, one per scope, with all scopes, and with an expiry and allowed addresses. */
export async function keyCallers(
  shop: Shop,
  holder: TestCaller,
  role: Role,
): Promise<readonly (() => Promise<NarrowCaller>)[]> {
  const all = scopesOfRole(role)
  const inAnHour = new Date(shop.now + hourMs).toISOString()
  const bounds = { expires_at: inAnHour, allowed_addresses: ['127.0.0.0/8'] }
  return [
    () => keyCaller(shop, holder, 'no scope', { scopes: [] }),
    ...all.map((scope) => () => keyCaller(shop, holder, scope, { scopes: [scope] })),
    () => keyCaller(shop, holder, 'every scope', { scopes: all }),
    () => keyCaller(shop, holder, 'an hour, from this address', { scopes: all, ...bounds }),
  ]
}

interface Client {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

/** Registers a client with every scope and grant; its own tokens act as `userId`. */
async function registerWideClient(shop: Shop, admin: TestCaller, userId: number): Promise<Client> {
  const client = {
    client_name: 'Wide',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'implicit', 'password', 'client_credentials'],
    scope: [...identityScopes, ...scopes].join(' '),
    user_id: null,
  }
  const { status, json, text } = await admin.request('POST', '/oauth-clients', client)
  if (status !== 201) throw new Error(text)
  await shop.db
    .updateTable('oauth_clients')
    .set({ user_id: userId })
    .where('id', '=', json.id)
    .execute()
  return json
}

async function requestToken(
  issuer: string,
  { client_id, client_secret }: Client,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const answer = await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams(form),
  })
  const { access_token } = (await answer.json()) as { readonly access_token?: string }
  if (access_token === undefined) throw new Error(`no token by ${form['grant_type']}`)
  return access_token
}

/** Access tokens of every OAuth grant, with every scope of the role or with `openid` alone. */
export async function oauthCallers(
  shop: Shop,
  issuer: string,
  { holder, admin, role }: { holder: TestCaller; admin: TestCaller; role: Role },
): Promise<readonly (() => Promise<NarrowCaller>)[]> {
  const client = await registerWideClient(shop, admin, holder.id)
  const every = scopesOfRole(role).join(' ')
  const { username } = holder
  const browse = async (scope: string, more: Readonly<Record<string, string>>) => {
    const party = await createRelyingParty(issuer, client)
    const { url, checks } = party.createAuthorizationRequest(scope, more)
    const back = new URL(await signInAndConsent(new TestBrowser(), url, username))
    return { back, checks }
  }
  const authorizationCodeToken = async (scope: string): Promise<string> => {
    const { back, checks } = await browse(scope, {})
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      code_verifier: checks.pkceCodeVerifier,
      redirect_uri: callback,
    }
    return requestToken(issuer, client, form)
  }
  const implicitToken = async (): Promise<string> => {
    const more = { response_type: 'id_token token', nonce: 'once', response_mode: 'fragment' }
    const { back } = await browse(`openid ${every}`, more)
    return new URLSearchParams(back.hash.slice(1)).get('access_token') ?? ''
  }
  const passwordToken = () =>
    requestToken(issuer, client, {
      grant_type: 'password',
      username,
      password: testPassword,
      scope: every,
    })
  const clientToken = () =>
    requestToken(issuer, client, { grant_type: 'client_credentials', scope: every })
  const caller = async (name: string, token: string, scopes: readonly Scope[]) => ({
    name: `an access token: ${name}`,
    userId: holder.id,
    scopes,
    // An access token lives for 15 minutes.
    expiresAt: Date.now() + hourMs / 4 + 60_000,
    addresses: null,
    request: requestWith(shop, `Bearer ${token}`),
  })
  const all = scopesOfRole(role)
  return [
    async () => caller('openid alone', await authorizationCodeToken('openid'), []),
    async () => caller('authorization code', await authorizationCodeToken(every), all),
    async () => caller('implicit', await implicitToken(), all),
    async () => caller('password', await passwordToken(), all),
    async () => caller('client credentials', await clientToken(), all),
  ]
}
