import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createDigestSecrets, digestOf } from '#shop/access/digest/secrets.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { openStore } from '#store/database.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { inheritedEnvironment, start } from '#test/support/services/server-process.ts'

const SECRET_KEY = 'a secret key that only tests sign with'
const ADMIN_PASSWORD = 'well known'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command with a password on standard input. */
function admin(url: string, args: readonly string[], password?: string): Promise<CommandResult> {
  const entry = fileURLToPath(new URL('./admin.ts', import.meta.url))
  const env = { ...inheritedEnvironment, SECRET_KEY, DATABASE_URL: url }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
    child.stdin?.end(password ?? '')
  })
}

async function send(url: string, path: string, body: unknown, headers: object = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const passwordIn = ({ stdout }: CommandResult): string =>
  /\npassword: (\S{22})\n$/.exec(stdout)?.[1] ?? ''

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`npm run admin on ${kind}`, { skip: skipReason(kind) }, () => {
    test('resets a lost password beside the running server', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'cartwright-admin-'))
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const env = { DATABASE_URL, SECRET_KEY, ADMIN_PASSWORD, DEMO_DATA: 'off', RATE_LIMIT: 'off' }
      const server = start(folder, env)
      const url = await server.url
      t.after(async () => {
        await server.stop()
        await remove()
        await rm(folder, { recursive: true })
      })
      const lost = await send(url, '/login', { username: 'admin', password: ADMIN_PASSWORD })
      const ended = await admin(DATABASE_URL, ['ADMIN'])
      assert.deepEqual([ended.code, ended.stderr], [0, ''])
      const password = passwordIn(ended)
      assert.notEqual(password, '', ended.stdout)
      assert.equal((await send(url, '/profile', undefined, bearer(lost.json.token))).status, 401)
      const { refresh_token } = lost.json
      assert.equal((await send(url, '/login', { refresh_token })).status, 401)
      const old = await send(url, '/login', { username: 'admin', password: ADMIN_PASSWORD })
      assert.equal(old.status, 401)
      const fresh = await send(url, '/login', { username: 'admin', password })
      assert.equal(fresh.status, 200)
      const trail = await send(url, '/audit-events', undefined, bearer(fresh.json.token))
      const [written] = trail.json.data.filter(
        (event: { action: string }) => event.action === 'password_changed',
      )
      assert.partialDeepStrictEqual(written, { actor_id: null, credential: 'command' })
      assert.doesNotMatch(server.output(), new RegExp(password))
    })

    test('creates an administrator, or promotes a suspended user if it is told to', async (t) => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      t.after(async () => {
        await store.close()
        await remove()
      })
      await store.migrate(tableDeclarations)
      const created = await admin(url, ['boss'])
      assert.match(created.stdout, /^Administrator created: boss\npassword: /)
      const row = { name: 'Ada', email: 'ada@example.com', email_key: 'ada@example.com' }
      const state = { status: 'suspended', created_at: 1, updated_at: 1 } as const
      await store.db
        .insertInto('users')
        .values({ ...row, ...state })
        .execute()
      const refused = await admin(url, ['Ada@example.com'])
      assert.deepEqual([refused.code, refused.stdout], [1, ''])
      assert.match(
        refused.stderr,
        /^Ada@example.com is no administrator: --promote makes .* one\n$/,
      )
      const promoted = await admin(url, ['Ada@example.com', '--promote'])
      assert.match(promoted.stdout, /^Ada@example.com is an administrator with a new password/)
      const users = await store.db.selectFrom('users').selectAll().orderBy('id').execute()
      for (const { role, status, password_hash, digest_secret } of users) {
        assert.deepEqual([role, status], ['admin', 'active'])
        assert.match(password_hash ?? '', /^\$argon2id\$/)
        assert.notEqual(digest_secret, null)
      }
      const [boss] = users
      const hashes = createDigestSecrets([SECRET_KEY]).decrypt(boss?.digest_secret ?? '', 'boss')
      const expected = digestOf('SHA-256', `boss:cartwright:${passwordIn(created)}`)
      assert.equal(hashes?.['SHA-256'], expected)
      assert.deepEqual(
        users.map(({ username }) => username),
        ['boss', 'ada@example.com'],
      )
      assert.equal(users[1]?.email, 'Ada@example.com'.toLowerCase())
      const events = await store.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
      assert.deepEqual(
        events.map(({ action, credential, actor_id }) => [action, credential, actor_id]),
        [
          'administrator_created',
          'username_changed',
          'password_changed',
          'role_changed',
          'status_changed',
        ].map((action) => [action, 'command', null]),
      )
    })

    test('takes a password from standard input, and does not show it', async (t) => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      t.after(async () => {
        await store.close()
        await remove()
      })
      await store.migrate(tableDeclarations)
      const flag = ['boss', '--password-stdin']
      const accepted = await admin(url, flag, 'chosen by the operator\n')
      assert.deepEqual([accepted.code, accepted.stderr], [0, ''])
      assert.match(accepted.stdout, /\npassword: as entered\n$/)
      assert.doesNotMatch(accepted.stdout, /chosen/)
      const rejected = [
        ['short', /^The password must be 8 to 256 characters long\n$/],
        ['Password123', /^The password must not be a commonly used password\n$/],
        ['boss-2026', /^The password must not be similar to a name of the user or the shop\n$/],
      ] as const
      for (const [password, line] of rejected) {
        const { code, stderr } = await admin(url, flag, password)
        assert.equal(code, 1)
        assert.match(stderr, line)
      }
    })
  })
}

const mistakes: readonly (readonly [args: readonly string[], code: number, line: RegExp])[] = [
  [[], 2, /^usage: npm run admin -- NAME/],
  [['one', 'two'], 2, /^usage: npm run admin -- NAME/],
  [['boss', '--password', 'x'], 2, /^Unknown option '--password'; usage: /],
  [['a:b'], 2, /^NAME must be 1 to 320 characters, without colons/],
  [['boss'], 1, /^DATABASE_URL: the database does not exist; start the server first\n$/],
]
for (const [args, expectedCode, line] of mistakes) {
  test(`npm run admin -- ${args.join(' ')} is rejected with one line`, async () => {
    const { code, stderr, stdout } = await admin('sqlite:/nowhere/shop.db', args)
    assert.deepEqual([code, stdout], [expectedCode, ''])
    assert.match(stderr, line)
  })
}

test('npm run admin rejects a database that is not up to date', async (t) => {
  const { url, remove } = await createEmptyDatabase('sqlite')
  t.after(remove)
  await (await openStore(url)).close()
  const { code, stderr } = await admin(url, ['boss'])
  assert.equal(code, 1)
  assert.match(stderr, /the database is not up to date; run `npm run migrate` first\n$/)
})
