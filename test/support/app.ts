import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { KyselyPlugin } from 'kysely'
import type { KeyUses } from '#auth/api-keys/last-used.ts'
import { makeApiKey } from '#auth/api-keys/secret.ts'
import type { DigestSetting } from '#auth/digest/secrets.ts'
import type { SecretKeys } from '#auth/keys.ts'
import type { KnownNetworks } from '#auth/known-networks.ts'
import type { Oauth } from '#auth/oauth/oauth.ts'
import { openPasswords } from '#auth/passwords/hash.ts'
import type { Db, Store } from '#db/database.ts'
import type { Role } from '#http/declare/actor.ts'
import type { Dependencies, Passwords, Tokens } from '#resources/dependencies.ts'
import type { PaymentProvider } from '#src/payments/provider.ts'
import { type App, type Composition, composeApp } from '#src/server/compose.ts'
import { openAuthentication } from '#src/server/open/authentication.ts'
import type { Instant } from '#values/instant.ts'
import {
  countStatements,
  type StoreKind,
  skipReason,
  storeKinds,
  temporaryStore,
  watched,
} from './services/databases.ts'

/** The time at which every test app is started. */
export const startedAt: Instant = Date.UTC(2026, 5, 1, 12)
/** The password of everybody who signs up in tests. */
export const testPassword = 'correct horse battery staple'
/** The address by which test apps know themselves. */
export const testIssuer = 'http://localhost:3000'
/** What the tokens of test apps are signed with. */
export const testSecretKey = 'a secret key that only tests sign with'

// As cheap as argon2id can be: what tests hash is no secret.
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** What a test reads of an answer; `json` is the parsed body, `text` the same before. */
export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
  readonly text: string
}

/** Sends a request; a body is sent as JSON. */
export type TestRequest = (
  method: string,
  url: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<TestResponse>

/** Somebody signed in, who calls with an access token. */
export interface TestCaller {
  readonly id: number
  readonly username: string
  readonly token: string
  readonly refreshToken: string
  readonly sessionId: number
  readonly request: TestRequest
}

/** The real application on a database of its own. */
export interface TestApp extends App {
  /** The database, for tests that look behind the API; not counted by `takeCount`. */
  readonly db: Db
  readonly store: Store
  /** By which another process or app may open the same database. */
  readonly url: string
  readonly dependencies: Dependencies
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly oauth: Oauth
  readonly keyUses: KeyUses
  readonly knownNetworks: KnownNetworks
  /** The time the app goes by; tests set it. */
  now: Instant
  /** Sends a request without credentials. */
  readonly request: TestRequest
  /** Signs up somebody new, other than the defaults where told so; the user as answered. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly signUp: (fields?: Readonly<Record<string, unknown>>) => Promise<any>
  /** Signs up and in somebody new of this role. */
  readonly signInAs: (role: Role, fields?: Readonly<Record<string, unknown>>) => Promise<TestCaller>
  /** How many statements requests ran since the last time this was asked. */
  readonly takeCount: () => number
  readonly dispose: () => Promise<void>
}

/** What a test may have otherwise. */
export interface TestOptions {
  /** Sees the statements of requests. */
  readonly plugin?: KyselyPlugin
  readonly provider?: PaymentProvider
  readonly callbackUrl?: string
  /** The address by which OAuth knows the server; one that nobody listens at by default. */
  readonly issuer?: string
  readonly composition?: Partial<Composition>
  /** What is signed and sealed with; the usual one by default. */
  readonly secretKeys?: SecretKeys
  /** Which algorithms of Digest are offered; all by default. */
  readonly digest?: DigestSetting
  /** The database, where it is not one of its own. */
  readonly temporary?: Awaited<ReturnType<typeof temporaryStore>>
}

const unexpected = async (): Promise<never> => {
  throw new Error('This test has no payment provider')
}

/** Stands where no payment is expected: whoever calls it fails. */
const noProvider: PaymentProvider = {
  name: 'none',
  signatureHeader: 'x-none',
  charge: unexpected,
  find: unexpected,
  void: unexpected,
  refund: unexpected,
  verifyCallback: () => undefined,
  close: async () => undefined,
}

/** Starts the real application on a fresh database of this kind; `dispose` stops and removes it. */
export async function startTestApp(kind: StoreKind, options: TestOptions = {}): Promise<TestApp> {
  const { secretKeys = [testSecretKey] } = options
  const temporary = options.temporary ?? (await temporaryStore(kind))
  const { plugin, issuer = testIssuer } = options
  const { store, takeCount } = countStatements(
    plugin === undefined ? temporary.store : watched(temporary.store, plugin),
  )
  const passwords = openPasswords(cheap)
  const time = { now: startedAt }
  const clock = () => time.now
  const identities = openAuthentication({
    ...options.composition,
    store,
    secretKeys,
    passwords,
    digest: options.digest,
    issuer,
    clock,
    report: (error) => {
      throw error
    },
  })
  const { tokens, sealer, authentication, oauth, keyUses, knownNetworks } = identities
  const { loginThrottle, digests } = identities
  const dependencies: Dependencies = {
    shop: { currency: 'USD', currencyDigits: 2 },
    passwords,
    loginThrottle,
    knownNetworks,
    tokens,
    apiKeys: { make: makeApiKey },
    digests,
    provider: options.provider ?? noProvider,
    issuer,
    callbackUrl: options.callbackUrl ?? 'http://127.0.0.1:9/unreachable',
  }
  const built = composeApp({
    store,
    dependencies,
    authentication,
    rawRoutes: oauth.routes,
    sealer,
    clock,
    linksField: '_links',
    errorShape: 'standard',
    ...options.composition,
  })
  const people = peopleOf(built, temporary.store.db)
  const testApp: TestApp = {
    ...built,
    ...people,
    db: temporary.store.db,
    store: temporary.store,
    url: temporary.url,
    dependencies,
    passwords,
    tokens,
    oauth,
    keyUses,
    knownNetworks,
    get now() {
      return time.now
    },
    set now(now) {
      time.now = now
    },
    takeCount,
    dispose: async () => {
      await built.app.close()
      await temporary.dispose()
    },
  }
  return testApp
}

const requester =
  ({ app }: App, known: Readonly<Record<string, string>> = {}): TestRequest =>
  async (method, url, body, headers = {}) => {
    const sent = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...sent, ...known, ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { statusCode: status, payload: text } = response
    const isJson = /json/.test(String(response.headers['content-type'])) && text !== ''
    const answered = response.headers as Record<string, string>
    return { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined }
  }

/** Makes the people of one app, each with a name of their own. */
function peopleOf(app: App, db: Db): Pick<TestApp, 'request' | 'signUp' | 'signInAs'> {
  const request = requester(app)
  let count = 0
  const signUp: TestApp['signUp'] = async (fields = {}) => {
    count += 1
    const body = { name: `Person ${count}`, username: `person-${count}`, password: testPassword }
    const answer = await request('POST', '/users', { ...body, ...fields })
    if (answer.status !== 201) throw new Error(`Signing up failed: ${answer.text}`)
    return answer.json
  }
  const signInAs: TestApp['signInAs'] = async (role, fields = {}) => {
    const { id, username } = await signUp(fields)
    if (role !== 'customer') {
      await db.updateTable('users').set({ role }).where('id', '=', id).execute()
    }
    const password = fields['password'] ?? testPassword
    const { status, json, text } = await request('POST', '/login', { username, password })
    if (status !== 200) throw new Error(`Signing in failed: ${text}`)
    const { token, refresh_token: refreshToken } = json
    const known = { authorization: `Bearer ${token}` }
    const sessionId = Number(decodeJwt(token)['sid'])
    return { id, username, token, refreshToken, sessionId, request: requester(app, known) }
  }
  return { request, signUp, signInAs }
}

/** Declares the same tests for every kind of database; those that cannot be had are skipped. */
export function eachDatabase(declare: (kind: StoreKind) => void): void {
  for (const kind of storeKinds) {
    const skip = skipReason(kind)
    if (skip) test(`on ${kind}`, { skip })
    else describe(`on ${kind}`, () => declare(kind))
  }
}
