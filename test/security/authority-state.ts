import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { readScopesOf } from '#shop/events/types.ts'
import type { TestApp } from '#test/support/app.ts'
import type { NarrowCaller } from './authority-callers.ts'

/** All rows that grant authority. */
export interface AuthorityState {
  readonly users: ReadonlyMap<number, User>
  readonly keys: ReadonlyMap<number, Key>
  readonly secrets: ReadonlyMap<string, number>
  readonly clients: ReadonlyMap<number, Client>
  readonly sessions: ReadonlySet<number>
  readonly consents: ReadonlySet<number>
  readonly webhooks: ReadonlyMap<number, Webhook>
}

interface User {
  readonly role: string
  readonly status: string
  readonly username_key: string | null
  readonly email_key: string | null
  readonly password_hash: string | null
  readonly deleted_at: number | null
}
interface Key {
  readonly user_id: number
  readonly scopes: string
  readonly expires_at: number | null
  readonly allowed_addresses: string | null
  readonly allowed_origins: string | null
}
/** What decides who gets the events, and who can sign them. */
interface Webhook {
  readonly url: string
  readonly types: string
  readonly active: number
  readonly secret: string
}
interface Client {
  readonly scope: string
  readonly user_id: number | null
  readonly secret_hash: string | null
  readonly redirect_uris: string
  readonly grant_types: string
  readonly deleted_at: number | null
}

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.id, row]))

/** Reads all rows that grant authority. */
export async function readAuthority({ db }: Pick<TestApp, 'db'>): Promise<AuthorityState> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'role', 'status', 'username_key', 'email_key', 'password_hash', 'deleted_at'])
    .execute()
  const keys = await db.selectFrom('api_keys').selectAll().execute()
  const secrets = await db.selectFrom('api_key_secrets').select(['key_hash', 'key_id']).execute()
  const clients = await db.selectFrom('oauth_clients').selectAll().execute()
  const sessions = await db.selectFrom('sessions').select('id').execute()
  const consents = await db.selectFrom('oauth_consents').select('id').execute()
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'url', 'types', 'active', 'secret'])
    .execute()
  return {
    users: byId(users),
    keys: byId(keys),
    secrets: new Map(secrets.map(({ key_hash, key_id }) => [key_hash, key_id])),
    clients: byId(clients),
    sessions: new Set(sessions.map(({ id }) => id)),
    consents: new Set(consents.map(({ id }) => id)),
    webhooks: byId(webhooks),
  }
}

/** Asserts that no new or changed row grants more than the caller has. */
export function assertNoWider(
  caller: NarrowCaller,
  before: AuthorityState,
  after: AuthorityState,
): void {
  for (const [id, user] of after.users) assertSameUser(before.users.get(id), user)
  for (const [hash, keyId] of after.secrets) {
    if (before.secrets.has(hash)) continue
    const key = after.keys.get(keyId)
    assert.ok(key, 'a secret without a key')
    assertBoundedKey(caller, key)
  }
  for (const [id, key] of after.keys) {
    const known = before.keys.get(id)
    if (known) assert.deepEqual(grantOf(key), grantOf(known), 'the grant of a key changed')
  }
  for (const [id, client] of after.clients) assertSameClient(before.clients.get(id), client)
  for (const [id, webhook] of after.webhooks) {
    assertBoundedWebhook(caller, before.webhooks.get(id), webhook)
  }
  assert.ok(after.sessions.isSubsetOf(before.sessions), 'a session was created')
  assert.ok(after.consents.isSubsetOf(before.consents), 'a consent was given')
}

function assertSameUser(before: User | undefined, after: User): void {
  if (!before) {
    assert.deepEqual([after.role, after.status], ['customer', 'active'], 'a privileged user')
    return
  }
  // A removed user has no authority.
  if (after.deleted_at !== null) return
  assert.deepEqual(after, before, 'the credentials or authority of a user changed')
}

const grantOf = ({ user_id, scopes, expires_at, allowed_addresses, allowed_origins }: Key) => [
  user_id,
  scopes,
  expires_at,
  allowed_addresses,
  allowed_origins,
]

function assertBoundedKey(caller: NarrowCaller, key: Key): void {
  assert.equal(key.user_id, caller.userId, 'a key of another user')
  for (const scope of key.scopes.split(' ').filter((each) => each !== '')) {
    assert.ok(
      caller.scopes.some((each) => each === scope),
      `a key for ${scope}`,
    )
  }
  if (caller.expiresAt !== null) {
    assert.ok((key.expires_at ?? Infinity) <= caller.expiresAt, 'a key that lives longer')
  }
  if (caller.addresses) {
    const addresses = key.allowed_addresses?.split(' ') ?? ['anywhere']
    for (const address of addresses) assert.ok(caller.addresses.includes(address), address)
  }
}

/** Whoever sets a webhook up reads its types of events through it, without end and from anywhere. */
function assertBoundedWebhook(
  { scopes, expiresAt, addresses }: NarrowCaller,
  before: Webhook | undefined,
  after: Webhook,
): void {
  const isSame = before && isDeepStrictEqual({ ...before, active: 0 }, { ...after, active: 0 })
  if (after.active === 0 || (isSame && before.active === 1)) return
  const needed = ['events:read' as const, ...readScopesOf(JSON.parse(after.types) as string[])]
  for (const scope of needed) {
    assert.ok(scopes.includes(scope), `a webhook without ${scope}`)
  }
  assert.deepEqual([expiresAt, addresses], [null, null], 'a webhook without the limits of the key')
}

function assertSameClient(before: Client | undefined, after: Client): void {
  assert.ok(before, 'a client was registered')
  if (after.deleted_at !== null) {
    assert.notEqual(before.deleted_at, null, 'a client was removed')
    return
  }
  const { user_id, ...rest } = after
  // The client of a removed user loses its user.
  const { user_id: owner } = before
  assert.ok(user_id === owner || user_id === null, 'a client acts as another user')
  for (const name of ['scope', 'secret_hash', 'redirect_uris', 'grant_types'] as const) {
    assert.equal(rest[name], before[name], `the ${name} of a client`)
  }
}
