import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { KyselyPlugin } from 'kysely'
import type { Role } from '#http/declare/actor.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import type { KeyUses } from '#shop/access/api-keys/last-used.ts'
import type { DigestSetting } from '#shop/access/digest/secrets.ts'
import type { KnownNetworks } from '#shop/access/known-networks.ts'
import type { Oauth } from '#shop/access/oauth/oauth.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import type { PaymentProvider } from '#shop/providers/provider.ts'
import { createLocalStorage } from '#src/files/local.ts'
import { createScaler, type FileParts } from '#src/files/scale.ts'
import { createAccountTokens } from '#src/secrets/account-tokens.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { type App, type AppOptions, composeApp } from '#src/server/compose.ts'
import { consoleRoutes } from '#src/server/console/routes.ts'
import { initializePrices } from '#src/server/first-start/prices.ts'
import type { Parts } from '#src/server/parts.ts'
import { createAuthServices } from '#src/server/startup/authentication.ts'
import { createWebhookParts } from '#src/server/startup/webhooks.ts'
import type { Db, Store } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import {
  countStatements,
  type DatabaseKind,
  databaseKinds,
  openTemporaryStore,
  type StoreKind,
  skipReason,
  storeWithPlugin,
} from './services/databases.ts'

/** The clock of a test app at its start. */
export const startedAt: Instant = Date.UTC(2026, 5, 1, 12)
/** The default password of test users. */
export const testPassword = 'correct horse battery staple'
/** The default issuer of test apps. */
export const testIssuer = 'http://localhost:3000'
/** The default secret key of test apps. */
export const testSecretKey = 'a secret key that only tests sign with'

// The smallest argon2id parameters: test passwords need no protection.
const minHashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** A response; `text` is the body and `json` the parsed body. */
export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any
  readonly text: string
}

/** Sends a request with an optional JSON body. */
export type TestRequest = (
  method: string,
  url: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<TestResponse>

/** A signed-in user; `request` sends the access token. */
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
  /** The URL with which another process or app opens the same database. */
  readonly url: string
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly oauth: Oauth
  readonly keyUses: KeyUses
  readonly knownNetworks: KnownNetworks
  /** The clock of the app; tests may set it. */
  now: Instant
  /** Sends a request without credentials. */
  readonly request: TestRequest
  /** Signs up a new user, with `fields` over the defaults; returns the response body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly signUp: (fields?: Readonly<Record<string, unknown>>) => Promise<any>
  /**
   * Signs up a new user, gives it this role and signs it in. A user without an address counts as one who
   * has confirmed it, and may make API keys.
   */
  readonly signInAs: (role: Role, fields?: Readonly<Record<string, unknown>>) => Promise<TestCaller>
  /** Returns the number of statements that requests ran since the last call. */
  readonly takeCount: () => number
  readonly dispose: () => Promise<void>
}

/** Options of a test app. */
export interface TestOptions {
  /** What differs from a shop in dollars whose prices include tax. */
  readonly shop?: Partial<Parts['shop']>
  /** Receives the statements of requests. */
  readonly plugin?: KyselyPlugin
  readonly provider?: PaymentProvider
  readonly callbackUrl?: string
  /** Raw routes besides those of OAuth. */
  readonly rawRoutes?: readonly RawRoute[]
  /** The networks that webhooks may be sent to besides public addresses; 127.0.0.0/8 by default. */
  readonly webhookNetworks?: readonly string[]
  /** The OAuth issuer; `testIssuer`, where nothing listens, by default. */
  readonly issuer?: string
  /** Whether the app serves the console; false by default. */
  readonly hasConsole?: boolean
  /** The name of the shop; `cartwright` by default. */
  readonly shopName?: string
  readonly composition?: Partial<AppOptions>
  /** The keys for signatures and encryption; `testSecretKey` by default. */
  readonly secretKeys?: SecretKeys
  /** The Digest algorithms to offer; all by default. */
  readonly digest?: DigestSetting
  /** An existing database; a new one by default. */
  readonly temporary?: Awaited<ReturnType<typeof openTemporaryStore>>
  /** Where images are kept, and how they are scaled; a folder of its own and `sharp` by default. */
  readonly files?: Partial<FileParts>
}

const unexpected = async (): Promise<never> => {
  throw new Error('This test has no payment provider')
}

// A test that reaches this provider fails.
const noProvider: PaymentProvider = {
  name: 'none',
  callbackPath: '/payment-notifications',
  start: unexpected,
  confirm: unexpected,
  find: unexpected,
  cancel: unexpected,
  refund: unexpected,
  verifyCallback: async () => ({ kind: 'invalid' }),
  close: async () => undefined,
}

const fail = (error: unknown): never => {
  throw error
}

/** Starts the real application on a new database of this kind; `dispose` stops it and removes the database. */
export async function startTestApp(kind: StoreKind, options: TestOptions = {}): Promise<TestApp> {
  const { secretKeys = [testSecretKey] } = options
  const temporary = options.temporary ?? (await openTemporaryStore(kind))
  const { plugin, issuer = testIssuer, shopName = 'cartwright' } = options
  const { store, takeCount } = countStatements(
    plugin === undefined ? temporary.store : storeWithPlugin(temporary.store, plugin),
  )
  const passwords = createPasswordHasher(minHashCost)
  const time = { now: startedAt }
  const clock = () => time.now
  const common = { store, passwords, issuer, shopName, clock }
  const access = createAuthServices({
    ...options.composition,
    ...common,
    secretKeys,
    digest: options.digest,
    hasConsole: options.hasConsole ?? false,
    report: (error) => {
      throw error
    },
  })
  const { tokens, oauth, keyUses, knownNetworks } = access
  const shop = {
    ...{
      currency: 'USD',
      currencyDigits: 2,
      pricesIncludeTax: true,
      timeZone: 'UTC',
      country: null,
      productUrl: 'https://shop.example/products/{handle}',
    },
    ...options.shop,
  }
  await initializePrices(temporary.store, shop, startedAt)
  const filesFolder = join(tmpdir(), `cartwright-files-${randomUUID()}`)
  const app = composeApp({
    ...common,
    ...access,
    ...createWebhookParts(secretKeys, options.webhookNetworks ?? ['127.0.0.0/8']),
    storage: createLocalStorage(filesFolder, fail),
    scaler: createScaler(fail),
    ...options.files,
    shop,
    unpaidOrders: { perUser: 'off', stockShare: 0.25 },
    accountTokens: createAccountTokens(secretKeys),
    provider: options.provider ?? noProvider,
    callbackUrl: options.callbackUrl ?? 'http://127.0.0.1:9/unreachable',
    rawRoutes: [
      ...oauth.routes,
      ...(options.hasConsole ? consoleRoutes() : []),
      ...(options.rawRoutes ?? []),
    ],
    linksField: '_links',
    errorShape: 'standard',
    ...options.composition,
  })
  const userFunctions = createUserFunctions(app, temporary.store.db)
  const testApp: TestApp = {
    ...app,
    ...userFunctions,
    db: temporary.store.db,
    store: temporary.store,
    url: temporary.url,
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
      await app.app.close()
      await temporary.dispose()
      await rm(filesFolder, { recursive: true, force: true })
    },
  }
  return testApp
}

const createRequest =
  ({ app }: App, defaultHeaders: Readonly<Record<string, string>> = {}): TestRequest =>
  async (method, url, body, headers = {}) => {
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...contentType, ...defaultHeaders, ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    const { statusCode: status, payload: text } = response
    const isJson = /\bjson/.test(String(response.headers['content-type'])) && text !== ''
    const plainHeaders = response.headers as Record<string, string>
    return { status, headers: plainHeaders, text, json: isJson ? JSON.parse(text) : undefined }
  }

/** Creates the functions that make users, each with a unique name. */
function createUserFunctions(app: App, db: Db): Pick<TestApp, 'request' | 'signUp' | 'signInAs'> {
  const request = createRequest(app)
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
    const email_verified = fields['email'] === undefined ? 1 : 0
    await db.updateTable('users').set({ role, email_verified }).where('id', '=', id).execute()
    const password = fields['password'] ?? testPassword
    const { status, json, text } = await request('POST', '/login', { username, password })
    if (status !== 200) throw new Error(`Signing in failed: ${text}`)
    const { token, refresh_token: refreshToken } = json
    const credentials = { authorization: `Bearer ${token}` }
    const sessionId = Number(decodeJwt(token)['sid'])
    return {
      id,
      username,
      token,
      refreshToken,
      sessionId,
      request: createRequest(app, credentials),
    }
  }
  return { request, signUp, signInAs }
}

/** Confirms the address of a user, as the link of a mail does. */
export const confirmAddress = (db: Db, id: number) =>
  db.updateTable('users').set({ email_verified: 1 }).where('id', '=', id).execute()

/**
 * Declares the same tests for each database; unavailable ones are skipped. What differs for an SQLite
 * database in memory is tested in `src/db`.
 */
export function eachDatabase(
  declare: (kind: DatabaseKind) => void,
  kinds: readonly DatabaseKind[] = databaseKinds,
): void {
  for (const kind of kinds) {
    const skip = skipReason(kind)
    if (skip) test(`on ${kind}`, { skip })
    else describe(`on ${kind}`, () => declare(kind))
  }
}
