import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createEmptyDatabase,
  openTemporaryStore,
  skipReason,
  storeKinds,
} from '#test/support/services/databases.ts'
import { dayMs } from '#values/instant.ts'
import { type Db, openStore } from './database.ts'
import { NewerDatabaseError } from './migrate.ts'
import { migrations } from './migrations/list.ts'

const yearMs = 365 * dayMs
const quarterMs = 90 * dayMs
const run = promisify(execFile)
const script = fileURLToPath(
  new URL('../../test/support/services/database-process.ts', import.meta.url),
)
const names = migrations.map(({ name }) => name)

/** Runs every migration before the one with this name. */
async function migrateTo(db: Db, before: string): Promise<void> {
  for (const { name, up } of migrations) {
    if (name === before) return
    await up(db)
    await db.insertInto('migrations').values({ name, run_at: 1 }).execute()
  }
}

test('every migration has the name of its file', () => {
  const files = readdirSync(join(import.meta.dirname, 'migrations'))
  const numbered = files.filter((file) => /^\d{4}-.*\.ts$/.test(file)).sort()
  assert.deepEqual(
    numbered.map((file) => file.replace(/\.ts$/, '')),
    names,
  )
})

for (const kind of storeKinds) {
  describe(`migrations on ${kind}`, { skip: skipReason(kind) }, () => {
    test('run once, after which none is pending', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        assert.deepEqual(await store.migrate(), [])
        assert.equal(await store.pending(), 0)
        const rows = await store.db.selectFrom('migrations').select('name').execute()
        assert.deepEqual(
          rows.map((row) => row.name),
          names,
        )
      } finally {
        await dispose()
      }
    })

    test('throw a NewerDatabaseError on a database migrated by a newer release', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        await store.db.insertInto('migrations').values({ name: '9999-later', run_at: 1 }).execute()
        await assert.rejects(store.migrate(), NewerDatabaseError)
        assert.equal(await store.pending(), 0)
      } finally {
        await dispose()
      }
    })

    test('have run under the names that earlier versions stored', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      try {
        const renamed = migrations.filter(({ formerName }) => formerName !== undefined)
        assert.equal(renamed.length, 2)
        for (const { name, formerName } of renamed) {
          const row = store.db.updateTable('migrations').where('name', '=', name)
          await row.set({ name: formerName ?? '' }).execute()
        }
        assert.equal(await store.pending(), 0)
        assert.deepEqual(await store.migrate(), [])
      } finally {
        await dispose()
      }
    })

    test('create a session for each family of refresh tokens', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      try {
        await store.transaction(async (db) => {
          await migrateTo(db, '0011-sessions')
          const token = { user_id: 7, used_at: null, expires_at: 90, created_at: 10 }
          await db
            .insertInto('refresh_tokens')
            .values([
              { ...token, token_hash: 'a', family: 'one', used_at: 20 },
              { ...token, token_hash: 'b', family: 'one', created_at: 20, expires_at: 100 },
              { ...token, token_hash: 'c', family: 'two' },
            ])
            .execute()
        })
        assert.ok((await store.migrate()).includes('0011-sessions'))
        const sessions = store.db.selectFrom('sessions').orderBy('family')
        const columns = ['user_id', 'created_at', 'updated_at', 'expires_at', 'ended_at'] as const
        const common = { user_id: 7, created_at: 10, ended_at: null }
        assert.deepEqual(await sessions.select(columns).execute(), [
          { ...common, updated_at: 20, expires_at: 100 },
          { ...common, updated_at: 10, expires_at: 90 },
        ])
      } finally {
        await store.close()
        await remove()
      }
    })

    test('record the IPv4 addresses of sessions as known networks', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      try {
        await store.transaction(async (db) => {
          await migrateTo(db, '0020-known-networks')
          const session = { user_id: 7, expires_at: 90, created_at: 10 }
          await db
            .insertInto('sessions')
            .values([
              { ...session, family: 'a', address: '192.0.2.1', updated_at: 10 },
              { ...session, family: 'b', address: '192.0.2.1', updated_at: 20 },
              { ...session, family: 'c', address: '::ffff:192.0.2.2', updated_at: 30 },
              { ...session, family: 'd', address: '2001:db8::1', updated_at: 40 },
              { ...session, family: 'e', address: null, updated_at: 50 },
            ])
            .execute()
        })
        assert.ok((await store.migrate()).includes('0020-known-networks'))
        const networks = store.db.selectFrom('known_networks').selectAll().orderBy('network')
        assert.deepEqual(await networks.execute(), [
          { user_id: 7, network: '192.0.2.1', seen_at: 20 },
          { user_id: 7, network: '192.0.2.2', seen_at: 30 },
        ])
      } finally {
        await store.close()
        await remove()
      }
    })

    test('create a consent for each user and client of a grant, with its last scope, for 90 days', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      try {
        await store.transaction(async (db) => {
          await migrateTo(db, '0014-oauth-consents')
          const grant = { kind: 'Grant', payload: '', user_id: 7, client_id: 'a' }
          const payloads = [
            { ...grant, id_hash: 'one', expires_at: yearMs + 10 },
            { ...grant, id_hash: 'two', expires_at: yearMs + 20 },
            { ...grant, id_hash: 'three', expires_at: yearMs + 30, client_id: 'b' },
            { ...grant, id_hash: 'four', expires_at: 40, kind: 'RefreshToken' },
            { ...grant, id_hash: 'five', expires_at: 50, kind: 'Session' },
          ]
          await db.insertInto('oauth_artefacts').values(payloads).execute()
          const event = { action: 'oauth_consent_given', subject_id: 7, at: 1 } as const
          const events = ['openid', 'openid orders:read'].map((scope) => ({
            ...event,
            details: JSON.stringify({ client_id: 'a', scope }),
          }))
          await db.insertInto('audit_events').values(events).execute()
        })
        assert.ok((await store.migrate()).includes('0014-oauth-consents'))
        const columns = ['client_id', 'created_at', 'updated_at', 'expires_at'] as const
        const consents = store.db.selectFrom('oauth_consents').orderBy('client_id')
        assert.deepEqual(await consents.select([...columns, 'user_id']).execute(), [
          {
            client_id: 'a',
            created_at: 10,
            updated_at: 20,
            expires_at: quarterMs + 20,
            user_id: 7,
          },
          {
            client_id: 'b',
            created_at: 30,
            updated_at: 30,
            expires_at: quarterMs + 30,
            user_id: 7,
          },
        ])
        const scopes = store.db.selectFrom('oauth_artefacts').select(['id_hash', 'granted_scope'])
        assert.deepEqual(await scopes.orderBy('expires_at').execute(), [
          { id_hash: 'four', granted_scope: null },
          { id_hash: 'one', granted_scope: 'openid orders:read' },
          { id_hash: 'two', granted_scope: 'openid orders:read' },
          { id_hash: 'three', granted_scope: null },
        ])
        const grant = store.db.selectFrom('oauth_artefacts').select('expires_at')
        const { expires_at } = await grant.where('id_hash', '=', 'one').executeTakeFirstOrThrow()
        assert.equal(expires_at, quarterMs + 10)
      } finally {
        await store.close()
        await remove()
      }
    })

    // A database in memory belongs to one process.
    if (kind === 'memory') return
    test('run once when four processes start together', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      try {
        const outputs = await Promise.all(
          Array.from({ length: 4 }, () => run(process.execPath, [script, 'migrate', url])),
        )
        const completed = outputs.flatMap(({ stdout }): unknown => JSON.parse(stdout))
        assert.deepEqual(completed, names)
      } finally {
        await remove()
      }
    })
  })
}
