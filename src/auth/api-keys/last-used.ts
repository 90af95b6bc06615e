import { recordUses } from '#auth/store.ts'
import type { Db } from '#db/database.ts'
import { type Instant, minuteMs } from '#values/instant.ts'

/** When API keys were last used, to the minute: told by requests, written down by a job. */
export interface KeyUses {
  /** Takes note of a use, where the last one known is a minute old. */
  readonly note: (
    key: { readonly id: number; readonly usedAt: Instant | null },
    now: Instant,
  ) => void
  /** Writes down what was noted since, all keys in one statement; tells of how many. */
  readonly record: (db: Db) => Promise<number>
}

/** Opens an empty notebook; what was noted and not recorded is lost with the process. */
export function openKeyUses(): KeyUses {
  let noted = new Map<number, Instant>()
  return {
    note: ({ id, usedAt }, now) => {
      if (usedAt === null || now - usedAt >= minuteMs) noted.set(id, now)
    },
    record: async (db) => {
      if (noted.size === 0) return 0
      const taken = noted
      noted = new Map()
      try {
        await recordUses(
          db,
          [...taken].map(([id, at]) => ({ id, at })),
        )
      } catch (error) {
        noted = new Map([...taken, ...noted])
        throw error
      }
      return taken.size
    },
  }
}
