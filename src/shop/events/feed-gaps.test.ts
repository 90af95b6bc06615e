import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, openStore, type Store } from '#store/database.ts'
import { eachDatabase } from '#test/support/app.ts'
import { assertSeenOnce, writeEvents } from '#test/support/events/event-writers.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { readEvents } from './events-store.ts'
import { EventFeed } from './feed.ts'
import { publishEvents } from './feed-store.ts'
import { recordEvents } from './outbox-store.ts'

const transactionsPerWriter = 6
const event = {
  type: 'product.updated',
  subject: '/products/1',
  time: 0,
  user_id: null,
  data: '{}',
} as const

eachDatabase(
  (kind) => {
    // SQLite has one writer: a transaction that waits holds all others up.
    const maxOpenMs = kind === 'postgres' ? 2000 : 4
    let temporary: TemporaryStore
    let other: Store
    before(async () => {
      temporary = await openTemporaryStore(kind)
      other = await openStore(temporary.url, { connections: 8 })
    })
    after(async () => {
      await other.close()
      await temporary.dispose()
    })

    /** Reads with a cursor until `isOver`, and once more. */
    async function readPages(db: Db, isOver: () => boolean): Promise<readonly string[]> {
      const seen: string[] = []
      for (let cursor = 0, isLast = false; !isLast; ) {
        isLast = isOver()
        const upTo = await publishEvents(db)
        const events = await readEvents(db, { after: cursor, upTo, limit: 1000 })
        seen.push(...events.map(({ subject }) => subject))
        cursor = events.at(-1)?.sequence ?? upTo
        await sleep(5)
      }
      return seen
    }

    async function followAll(db: Db, signal: AbortSignal): Promise<readonly string[]> {
      const seen: string[] = []
      for await (const { events } of new EventFeed(db, 20).follow({ after: 0 }, signal)) {
        seen.push(...events.map(({ subject }) => subject))
      }
      return seen
    }

    test('32 writers with open and rolled back transactions: every reader sees each committed event once, in one order', async () => {
      const stores = [temporary.store, other]
      let isOver = false
      const stop = new AbortController()
      const readers = [
        ...stores.map(({ db }) => readPages(db, () => isOver)),
        ...stores.map(({ db }) => followAll(db, stop.signal)),
      ]
      const kept = await writeEvents({ stores, transactionsPerWriter, maxOpenMs })
      isOver = true
      await sleep(500)
      stop.abort()
      assertSeenOnce(await Promise.all(readers), kept)
    })

    test('a reader gets many new events one after the other, not some with each poll', async () => {
      const { db } = temporary.store
      const after = await publishEvents(db)
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), 5000)
      let seen = 0
      const reading = (async () => {
        for await (const { events } of new EventFeed(db, 1500).follow({ after }, stop.signal)) {
          seen += events.length
          if (seen === 1000) return
        }
      })()
      await sleep(100)
      const many = Array.from({ length: 1000 }, () => event)
      await temporary.store.transaction((transactionDb) => recordEvents(transactionDb, many))
      await reading
      clearTimeout(timer)
      assert.equal(seen, 1000)
    })

    test('publishing ends while others go on recording events', async () => {
      let isOver = false
      const record = async () => {
        while (!isOver) {
          await temporary.store.transaction((db) => recordEvents(db, [event]))
        }
      }
      const writers = [record(), record(), record(), record()]
      await sleep(100)
      const wait = new AbortController()
      const late = sleep(5000, 'late', wait).catch(() => undefined)
      const outcome = await Promise.race([publishEvents(temporary.store.db), late])
      wait.abort()
      isOver = true
      await Promise.all(writers)
      assert.notEqual(outcome, 'late')
    })
  },
  ['sqlite', 'postgres'],
)
