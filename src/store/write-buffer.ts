import type { Db } from './database.ts'

/** The last values of keys, noted by requests and written together by a job. */
export interface WriteBuffer<K, V> {
  readonly set: (key: K, value: V) => void
  readonly has: (key: K) => boolean
  /** Writes the values in one statement; returns how many. They are kept when it fails. */
  readonly flush: (db: Db) => Promise<number>
}

/** Creates an empty buffer in memory; what is not written yet is lost with the process. */
export function createWriteBuffer<K, V>(
  write: (db: Db, entries: readonly (readonly [K, V])[]) => Promise<unknown>,
): WriteBuffer<K, V> {
  let buffered = new Map<K, V>()
  return {
    set: (key, value) => void buffered.set(key, value),
    has: (key) => buffered.has(key),
    flush: async (db) => {
      if (buffered.size === 0) return 0
      const pending = buffered
      buffered = new Map()
      try {
        await write(db, [...pending])
      } catch (error) {
        buffered = new Map([...pending, ...buffered])
        throw error
      }
      return pending.size
    },
  }
}
