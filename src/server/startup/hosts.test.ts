import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStore, type Store } from '#store/database.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'
import { runningMs } from './hosts-store.ts'

const refused =
  /^FILES_URL, SMTP_URL: another host \(.+\) serves this database.* SHARED_DISK=on .*start again in 15 seconds\.\n$/

describe('hosts on one PostgreSQL', { skip: skipReason('postgres') }, () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>
  let store: Store
  const folders: string[] = []
  const servers: ServerProcess[] = []
  let first: ServerProcess

  const startIn = (host: number, settings: Readonly<Record<string, string>> = {}) => {
    const server = start(folders[host] ?? '', {
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key that only tests sign with',
      ADMIN_PASSWORD: 'well known to tests',
      PAYMENT_PROVIDER_URL: 'http://127.0.0.1:1',
      PAYMENT_PROVIDER_SECRET: 'what a provider of tests signs with',
      ...settings,
    })
    servers.push(server)
    return server
  }

  before(async () => {
    database = await createEmptyDatabase('postgres')
    for (const host of ['a', 'b']) {
      folders.push(await mkdtemp(join(tmpdir(), `cartwright-host-${host}-`)))
    }
    first = startIn(0)
    await first.url
    store = await openStore(database.url)
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await store?.close()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    await database?.remove()
  })

  test('a second one is refused by name of the settings while something is on a disk, and its workers are not started', async () => {
    const second = startIn(1, { WORKERS: '2' })
    assert.equal(await second.ended, 1)
    assert.match(second.output(), refused)
  })

  test('one with nothing on its disk is refused while the other has something there', async () => {
    const elsewhere = {
      FILES_URL: 's3://images?endpoint=http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      SMTP_URL: 'smtp://127.0.0.1:1',
    }
    const second = startIn(1, elsewhere)
    assert.equal(await second.ended, 1)
    assert.match(second.output(), refused)
  })

  test('a second process of the same one, and one that shares its disk, start', async () => {
    const more = [startIn(0), startIn(1, { SHARED_DISK: 'on' })]
    await Promise.all(more.map(({ url }) => url))
    for (const server of more) assert.equal(await server.stop(), 0, server.output())
  })

  test('one that replaces a crashed one starts once its time is over, and leaves at its own end', async () => {
    first.process.kill('SIGKILL')
    await first.ended
    assert.equal(await startIn(1).ended, 1)
    await store.db
      .updateTable('host_processes')
      .set(({ eb }) => ({ seen_at: eb('seen_at', '-', runningMs) }))
      .execute()
    const second = startIn(1)
    await second.url
    assert.equal(await second.stop(), 0)
    assert.deepEqual(await store.db.selectFrom('host_processes').selectAll().execute(), [])
  })
})
