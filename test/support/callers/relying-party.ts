import { createHash, randomBytes } from 'node:crypto'
import * as oidc from 'openid-client'
import { scopesOfRole } from '#shop/scopes.ts'
import {
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'

/** The application, listening at its issuer's address, on the current time. */
export interface OauthShop extends TestApp {
  readonly issuer: string
  readonly admin: TestCaller
  /** Registers a client and returns it, with its secret. */
  readonly register: (fields?: object) => Promise<TestResponse['json']>
}

/** The redirect URI of the clients of tests; nothing listens there. */
export const callback = 'http://127.0.0.1:9/callback'

/** Starts the application on a new database of this kind, on its own port. */
export async function startOauthShop(
  kind: StoreKind,
  composition: NonNullable<Parameters<typeof startTestApp>[1]>['composition'] = {},
  protocol: 'http:' | 'https:' = 'http:',
): Promise<OauthShop> {
  const port = await freePort()
  const issuer = `${protocol}//127.0.0.1:${port}`
  const shop = await startTestApp(kind, { issuer, composition })
  shop.now = Date.now()
  await shop.app.listen({ port, host: '127.0.0.1' })
  const admin = await shop.signInAs('admin')
  const register: OauthShop['register'] = async (fields = {}) => {
    const defaults = {
      client_name: 'Parcel Tracker',
      redirect_uris: [callback],
      scope: ['openid profile email offline_access', ...scopesOfRole('customer')].join(' '),
      grant_types: ['authorization_code', 'refresh_token'],
    }
    // A test may have moved the clock past the end of the administrator's session.
    const headers = { authorization: basic(admin.username, testPassword) }
    const client = { ...defaults, ...fields }
    const response = await shop.request('POST', '/oauth-clients', client, headers)
    if (response.status !== 201) throw new Error(`Registering failed: ${response.text}`)
    return response.json
  }
  return Object.assign(Object.create(shop), { issuer, admin, register })
}

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** Posts a form, authenticated as a client by HTTP Basic if one is passed. */
export async function postForm(
  url: string,
  form: Readonly<Record<string, string>>,
  client?: { readonly client_id: string; readonly client_secret: string },
  moreHeaders: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number
  readonly headers: Headers
  readonly json: TestResponse['json']
}> {
  const authorization =
    client === undefined ? {} : { authorization: basic(client.client_id, client.client_secret) }
  const headers: Record<string, string> = { ...authorization, ...moreHeaders }
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text && JSON.parse(text) }
}

/** The value of a hidden field of a page; empty if there is none. */
export const hiddenField = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

/** A browser without scripts: keeps cookies and follows redirects within the server. */
export class TestBrowser {
  readonly #cookies = new Map<
    string,
    { readonly name: string; readonly value: string; readonly path: string }
  >()
  /** Every Set-Cookie field received, in order. */
  readonly setCookies: string[] = []

  /** The names of the current cookies. */
  get cookieNames(): readonly string[] {
    return [...this.#cookies.values()].map(({ name }) => name)
  }

  /** A second browser with copies of the current cookies. */
  copy(): TestBrowser {
    const other = new TestBrowser()
    for (const [key, cookie] of this.#cookies) other.#cookies.set(key, cookie)
    return other
  }

  /** Requests a URL without following redirects. */
  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(url, { headers })
  }

  /** Posts a form without following redirects. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(url, { method: 'POST', body: new URLSearchParams(form) })
  }

  /** Requests a URL and follows redirects; stops before one to another origin and returns its URL. */
  async open(url: string): Promise<{ readonly url: string; readonly response: Response }> {
    const { origin } = new URL(url)
    let current = url
    for (let response = await this.get(current); ; response = await this.get(current)) {
      const next = redirectOf(response, current)
      if (next === undefined) return { url: current, response }
      if (new URL(next).origin !== origin) return { url: next, response }
      current = next
    }
  }

  /** Posts the form of the page at `url` with its CSRF token and these fields, like `open`. */
  async submit(url: string, page: string, fields: Readonly<Record<string, string>>) {
    const response = await this.post(url, { csrf: hiddenField(page, 'csrf'), ...fields })
    const next = redirectOf(response, url)
    return next === undefined ? { url, response } : this.open(next)
  }

  async #send(url: string, init: RequestInit & { headers?: Record<string, string> }) {
    const { pathname } = new URL(url)
    // Cookies with longer paths come first (RFC 6265 5.4).
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => pathname.startsWith(path))
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { accept: 'text/html', ...init.headers, ...(cookie === '' ? {} : { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#store(line)
    return response
  }

  #store(line: string): void {
    this.setCookies.push(line)
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/'
    const key = `${name} ${path}`
    if (value === '') this.#cookies.delete(key)
    else this.#cookies.set(key, { name, value, path })
  }
}

const redirectOf = (response: Response, from: string): string | undefined => {
  const location = response.headers.get('location')
  return location === null ? undefined : new URL(location, from).href
}

/** Signs in and consents, on the pages that are shown, and returns the URL of the last redirect. */
export async function signInAndConsent(
  browser: TestBrowser,
  start: string,
  username: string,
  password = testPassword,
): Promise<string> {
  let { url, response } = await browser.open(start)
  for (let page = 0; page < 3 && response.status === 200; page++) {
    const text = await response.text()
    const fields = text.includes('name="password"')
      ? { act: 'sign-in', username, password }
      : { act: 'allow' }
    ;({ url, response } = await browser.submit(url, text, fields))
  }
  return url
}

/** A registered client as a relying party of `openid-client`. */
export async function createRelyingParty(
  issuer: string,
  client: { readonly client_id: string; readonly client_secret?: string },
) {
  const auth =
    client.client_secret === undefined ? oidc.None() : oidc.ClientSecretBasic(client.client_secret)
  const config = await oidc.discovery(new URL(issuer), client.client_id, undefined, auth, {
    execute: [oidc.allowInsecureRequests],
  })
  return {
    config,
    /** Creates an authorization request with PKCE, and the checks to redeem its code with. */
    createAuthorizationRequest: (scope: string, more: Readonly<Record<string, string>> = {}) => {
      const verifier = randomBytes(32).toString('base64url')
      const checks = {
        pkceCodeVerifier: verifier,
        expectedState: randomBytes(8).toString('hex'),
        ...(scope.includes('openid') ? { expectedNonce: randomBytes(8).toString('hex') } : {}),
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        ...(checks.expectedNonce === undefined ? {} : { nonce: checks.expectedNonce }),
        ...more,
      })
      return { url: url.href, checks }
    },
  }
}

interface AuthorizationOptions {
  /** A registered client; a new one by default. */
  readonly client?: TestResponse['json']
  readonly browser?: TestBrowser
  readonly scope?: string
}

/** Has a user sign in and consent to a client. Throws if the client gets no code. */
export async function authorizeClient(
  shop: Pick<OauthShop, 'issuer' | 'register'>,
  username: string,
  options: AuthorizationOptions = {},
) {
  const { browser = new TestBrowser(), scope = 'openid orders:read' } = options
  const client = options.client ?? (await shop.register())
  const party = await createRelyingParty(shop.issuer, client)
  const { url, checks } = party.createAuthorizationRequest(scope)
  const back = new URL(await signInAndConsent(browser, url, username))
  if (!back.searchParams.has('code')) throw new Error(`No code: ${back}`)
  const redeem = () => oidc.authorizationCodeGrant(party.config, back, checks)
  return { client, party, browser, redeem }
}

/** True if a client gets a code from this browser without a page, false if login is required. */
export async function isSignedIn({
  party,
  browser,
}: Pick<Awaited<ReturnType<typeof authorizeClient>>, 'party' | 'browser'>): Promise<boolean> {
  const { url } = party.createAuthorizationRequest('openid orders:read', { prompt: 'none' })
  const params = new URL((await browser.open(url)).url).searchParams
  if (params.has('code')) return true
  if (params.get('error') === 'login_required') return false
  throw new Error(`Unexpected response: ${params}`)
}
