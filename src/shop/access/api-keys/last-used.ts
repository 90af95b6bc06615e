import { recordUses } from '#shop/access/store.ts'
import type { Db } from '#store/database.ts'
import { createWriteBuffer } from '#store/write-buffer.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

/** When API keys were last used, to the minute: noted by requests, recorded by a job. */
export interface KeyUses {
  /** Notes a use in memory, at most once a minute. */
  readonly note: (
    key: { readonly id: number; readonly usedAt: Instant | null },
    now: Instant,
  ) => void
  /** Writes the noted uses, in one statement; returns how many. */
  readonly record: (db: Db) => Promise<number>
}

/** Creates the uses of API keys; notes not yet recorded are lost with the process. */
export function createKeyUses(): KeyUses {
  const uses = createWriteBuffer<number, Instant>((db, entries) =>
    recordUses(
      db,
      entries.map(([id, at]) => ({ id, at })),
    ),
  )
  return {
    note: ({ id, usedAt }, now) => {
      if (usedAt === null || now - usedAt >= minuteMs) uses.set(id, now)
    },
    record: uses.flush,
  }
}
