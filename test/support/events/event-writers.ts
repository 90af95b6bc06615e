import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { createRandom, integerBetween } from '#src/demo/random.ts'
import type { Store } from '#store/database.ts'

const writerCount = 32

class RolledBack extends Error {}

/** Records two events in a transaction that stays open for a while, or is rolled back. */
async function write(store: Store, subject: string, openMs: number, isKept: boolean) {
  const event = (part: string) => ({
    ...{ type: 'product.updated' as const, time: Date.now(), user_id: null, data: '{}' },
    subject: `${subject}/${part}`,
  })
  const work = store.transaction(async (db) => {
    await recordEvents(db, [event('first')])
    await db.selectFrom('outbox').select('id').limit(1).execute()
    await sleep(openMs)
    await recordEvents(db, [event('second')])
    if (!isKept) throw new RolledBack()
  })
  await work.catch((error) => assert.ok(error instanceof RolledBack, String(error)))
}

/** How 32 concurrent writers record events. */
export interface EventWriters {
  /** The stores of one database, which the writers share. */
  readonly stores: readonly Store[]
  readonly transactionsPerWriter: number
  /** How long one transaction in ten stays open at most, in milliseconds. */
  readonly maxOpenMs: number
}

/**
 * Has 32 concurrent writers record events, in transactions of which a tenth stays open and a fifth is
 * rolled back. Returns the subjects of the committed events.
 */
export async function writeEvents({
  stores,
  transactionsPerWriter,
  maxOpenMs,
}: EventWriters): Promise<readonly string[]> {
  const random = createRandom(7)
  const kept: string[] = []
  const writers = Array.from({ length: writerCount }, async (_, writer) => {
    for (let turn = 0; turn < transactionsPerWriter; turn += 1) {
      const subject = `/products/${writer}/${turn}`
      const isKept = random() > 0.2
      const openMs = random() > 0.9 ? integerBetween(0, maxOpenMs, random) : 0
      const store = stores[writer % stores.length]
      assert.ok(store)
      await write(store, subject, openMs, isKept)
      if (isKept) kept.push(`${subject}/first`, `${subject}/second`)
    }
  })
  await Promise.all(writers)
  return kept
}

/** Asserts that every reader has seen each committed event once, all in one order that keeps that of transactions. */
export function assertSeenOnce(
  readers: readonly (readonly string[])[],
  kept: readonly string[],
): void {
  const [first = [], ...others] = readers
  assert.deepEqual(first.toSorted(), kept.toSorted())
  for (const seen of others) assert.deepEqual(seen, first)
  const places = new Map(first.map((subject, place) => [subject, place]))
  const placeOf = (subject: string) => places.get(subject) ?? -1
  for (const subject of kept.filter((each) => each.endsWith('first'))) {
    assert.ok(placeOf(subject) < placeOf(subject.replace('first', 'second')), subject)
  }
}
