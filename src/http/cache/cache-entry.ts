import type { LastModified } from '#http/pipeline/middleware/last-modified.ts'

/** What an answer about to be sent may be kept by. */
export interface CacheEntry {
  readonly names: readonly string[]
  readonly mark: number
  /** The ETag before any content coding; of a 304 the one that it tells. */
  readonly plainTag: string
  readonly lastModified: LastModified | undefined
  /** How long the answer stays the same if nothing changes. */
  readonly ttlMs: number
}
