import { createHash, randomBytes } from 'node:crypto'
import * as oidc from 'openid-client'
import { scopesOf } from '#http/declare/caller.ts'
import {
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { findLastingPort } from '#test/support/services/server.ts'

/** The real application, listening where OAuth clients find it, by the time there is. */
export interface OauthShop extends TestApp {
  readonly issuer: string
  readonly admin: TestCaller
  /** Registers a client; what the administrator is answered with. */
  readonly register: (fields?: object) => Promise<TestResponse['json']>
}

/** Where the clients of tests have users sent back to; nobody listens there. */
const callback = 'http://127.0.0.1:9/callback'

/** Starts the application on a fresh database of this kind, at a port of its own. */
export async function startOauthShop(
  kind: StoreKind,
  composition: NonNullable<Parameters<typeof startTestApp>[1]>['composition'] = {},
  protocol: 'http:' | 'https:' = 'http:',
): Promise<OauthShop> {
  const port = await findLastingPort()
  const issuer = `${protocol}//127.0.0.1:${port}`
  const shop = await startTestApp(kind, { issuer, composition })
  shop.now = Date.now()
  await shop.app.listen({ port, host: '127.0.0.1' })
  const admin = await shop.signInAs('admin')
  const register: OauthShop['register'] = async (fields = {}) => {
    const usual = {
      client_name: 'Parcel Tracker',
      redirect_uris: [callback],
      scope: ['openid profile email offline_access', ...scopesOf('customer')].join(' '),
      grant_types: ['authorization_code', 'refresh_token'],
    }
    const pair = Buffer.from(`${admin.username}:${testPassword}`).toString('base64')
    // Whatever time it is: a session may be over.
    const headers = { authorization: `Basic ${pair}` }
    const client = { ...usual, ...fields }
    const answer = await shop.request('POST', '/oauth-clients', client, headers)
    if (answer.status !== 201) throw new Error(`Registering failed: ${answer.text}`)
    return answer.json
  }
  return Object.assign(Object.create(shop), { issuer, admin, register })
}

/** Somebody at a browser without scripts: keeps cookies, and is told of redirects. */
export class Visitor {
  readonly #cookies = new Map<
    string,
    { readonly name: string; readonly value: string; readonly path: string }
  >()
  /** Every Set-Cookie that has come, the last one last. */
  readonly lines: string[] = []

  /** The names of the cookies that there are. */
  get names(): readonly string[] {
    return [...this.#cookies.values()].map(({ name }) => name)
  }

  /** Another browser with the cookies that this one has now. */
  copy(): Visitor {
    const other = new Visitor()
    for (const [key, cookie] of this.#cookies) other.#cookies.set(key, cookie)
    return other
  }

  /** Opens an address. */
  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(url, { headers })
  }

  /** Sends a form. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(url, { method: 'POST', body: new URLSearchParams(form) })
  }

  /** Opens an address and follows where it leads, as far as the server itself goes. */
  async open(url: string): Promise<{ readonly url: string; readonly answer: Response }> {
    const { origin } = new URL(url)
    let at = url
    for (let answer = await this.get(at); ; answer = await this.get(at)) {
      const next = leadsTo(answer, at)
      if (next === undefined) return { url: at, answer }
      if (new URL(next).origin !== origin) return { url: next, answer }
      at = next
    }
  }

  /** Sends the form of the page at `url`, with these fields beside those that are hidden. */
  async submit(url: string, page: string, fields: Readonly<Record<string, string>>) {
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page) ?? []
    const answer = await this.post(url, { csrf, ...fields })
    const next = leadsTo(answer, url)
    return next === undefined ? { url, answer } : this.open(next)
  }

  async #send(url: string, init: RequestInit & { headers?: Record<string, string> }) {
    const { pathname } = new URL(url)
    // Those of longer paths first, as browsers send them (RFC 6265 5.4).
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => pathname.startsWith(path))
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { accept: 'text/html', ...init.headers, ...(cookie === '' ? {} : { cookie }) }
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    this.lines.push(line)
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/'
    const key = `${name} ${path}`
    if (value === '') this.#cookies.delete(key)
    else this.#cookies.set(key, { name, value, path })
  }
}

const leadsTo = (answer: Response, from: string): string | undefined => {
  const location = answer.headers.get('location')
  return location === null ? undefined : new URL(location, from).href
}

/** Signs in and consents, as the pages ask for; answers with where that leads. */
export async function signInAndConsent(
  visitor: Visitor,
  start: string,
  username: string,
  password = testPassword,
): Promise<string> {
  let { url, answer } = await visitor.open(start)
  for (let page = 0; page < 3 && answer.status === 200; page++) {
    const text = await answer.text()
    const fields = text.includes('name="password"')
      ? { act: 'sign-in', username, password }
      : { act: 'allow' }
    ;({ url, answer } = await visitor.submit(url, text, fields))
  }
  return url
}

/** A client as `openid-client` makes it, and an authorization request of it. */
export async function relyingParty(
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
    /** An authorization request with PKCE, and what its answer is redeemed with. */
    ask: (scope: string, more: Readonly<Record<string, string>> = {}) => {
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
