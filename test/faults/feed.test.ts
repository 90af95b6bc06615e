import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#store/database.ts'
import { receiveEvents } from '#test/support/events/event-stream.ts'
import { assertSeenOnce, writeEvents } from '#test/support/events/event-writers.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'
import { createCaller, openDeployment, shopAdmin, signIn } from '#test/support/services/server.ts'

/** Follows the events after a cursor at several servers in turn, until it is stopped. */
interface Reader {
  readonly seen: readonly string[]
  readonly stop: () => Promise<void>
}

interface Feed {
  readonly urls: readonly string[]
  readonly token: string
  readonly cursor: string
}

const filter = 'type=product.updated'

/** Asks for page after page; goes on at the next server after a failed request. */
function readPages({ urls, token, cursor: first }: Feed, begin: number): Reader {
  const seen: string[] = []
  let isStopped = false
  const read = async () => {
    let cursor = first
    for (let server = begin; !isStopped; ) {
      const caller = createCaller(urls[server % urls.length] ?? '', token)
      const path = `/events?${filter}&limit=50&cursor=${encodeURIComponent(cursor)}`
      const page = await caller.request('GET', path).catch(() => undefined)
      caller.close()
      if (page?.status === 200) {
        seen.push(...page.json.data.map(({ subject }: { subject: string }) => subject))
        cursor = page.json.pagination.next_cursor
      } else server += 1
      await sleep(20)
    }
  }
  const reading = read()
  return {
    seen,
    stop: async () => {
      isStopped = true
      await reading
    },
  }
}

/** Follows a stream; when it ends, goes on at the next server after the last event. */
function followStream({ urls, token, cursor }: Feed, begin: number): Reader {
  const seen: string[] = []
  let isStopped = false
  let close = () => {}
  const follow = async () => {
    let lastEventId: string | undefined
    for (let server = begin; !isStopped; server += 1) {
      const url = `${urls[server % urls.length]}/events?${filter}`
      const after = lastEventId ? { 'last-event-id': lastEventId } : {}
      const address = lastEventId ? url : `${url}&cursor=${encodeURIComponent(cursor)}`
      const headers = { authorization: `Bearer ${token}`, ...after }
      const stream = await receiveEvents(address, headers).catch(() => undefined)
      if (stream?.status === 200) {
        close = stream.close
        if (isStopped) close()
        await stream.ended
        seen.push(...stream.events.map(({ data }) => data.subject))
        lastEventId = stream.events.at(-1)?.id ?? lastEventId
      }
      await sleep(20)
    }
  }
  const following = follow()
  return {
    seen,
    stop: async () => {
      isStopped = true
      close()
      await following
    },
  }
}

describe('readers of the feed while servers are killed and restarted', () => {
  for (const [kind, servers, maxOpenMs] of [
    // SQLite has one writer: a transaction that waits holds all others up.
    ['sqlite', 1, 4],
    ['postgres', 2, 2000],
  ] as const) {
    test(`on ${kind} see each committed event of 32 writers once, in one order`, {
      skip: skipReason(kind),
    }, async (t) => {
      const deployment = await openDeployment(kind)
      const store = await openStore(deployment.databaseUrl, { connections: 12 })
      t.after(async () => {
        await store.close()
        await deployment.dispose()
      })
      const ports = await Promise.all(Array.from({ length: servers }, () => freePort()))
      const running = ports.map((port) => deployment.start(port))
      const urls = await Promise.all(running.map(({ url }) => url))
      const caller = createCaller(urls[0] ?? '')
      const token = await signIn(caller.request, shopAdmin)
      const start = await caller.request('GET', `/events?${filter}`, undefined, {
        authorization: `Bearer ${token}`,
      })
      caller.close()
      const feed = { urls, token, cursor: start.json.pagination.next_cursor }
      const readers = [0, 1].flatMap((begin) => [readPages(feed, begin), followStream(feed, begin)])
      const writing = writeEvents({ stores: [store], transactionsPerWriter: 6, maxOpenMs })
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        for (const [index, port] of ports.entries()) {
          await sleep(200)
          running[index]?.process.kill(signal)
          await running[index]?.ended
          const server = deployment.start(port)
          running[index] = server
          await server.url
        }
      }
      const kept = await writing
      const pages = readers.filter((_, place) => place % 2 === 0)
      await pollUntil(
        async () => pages.every(({ seen }) => seen.length >= kept.length),
        (isComplete) => isComplete,
      )
      // Streams deliver within a second; whatever they sent until then must be complete.
      await sleep(2000)
      await Promise.all(readers.map((reader) => reader.stop()))
      assert.ok(kept.length > 250)
      assertSeenOnce(
        readers.map(({ seen }) => seen),
        kept,
      )
    })
  }
})
