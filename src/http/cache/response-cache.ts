import type { Response } from '#http/exchange/response.ts'
import { createAdmissionFilter } from './admission-filter.ts'

/** A response to cache. */
export interface Cacheable {
  readonly response: Response
  /** The size of its body. */
  readonly bytes: number
  /** How long the response stays the same if no tag is invalidated. */
  readonly ttlMs: number
}

interface Entry extends Cacheable {
  readonly key: string
  readonly tags: readonly string[]
  readonly storedAtMs: number
  isUsed: boolean
}

/** The configuration of the cache. */
export interface ResponseCacheOptions {
  readonly maxBytes: number
  /** False while invalidations by other processes may be missed: nothing cached is used then. */
  readonly isConnected: () => boolean
}

/** The longest use of an entry in milliseconds, as the `max-age` of other caches. */
const maxAgeMs = 60_000
/** The largest share of the memory for one response. */
const maxEntryShare = 1 / 16
/** The share of the memory for responses requested for the first time. */
const freeShare = 1 / 8
/** The estimated size of an entry without key and body, and of each of its tags. */
const overheadBytes = 2048
const tagBytes = 128
/** The number of tags whose last invalidation is remembered. */
const maxChanges = 10_000

/** Caches responses, bounded in bytes, until one of their tags is invalidated. */
export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #entries = new Map<string, Entry>()
  readonly #byTag = new Map<string, Set<Entry>>()
  readonly #changedAt = new Map<string, number>()
  readonly #wasRequestedBefore = createAdmissionFilter()
  #bytes = 0
  #turn = 0
  /** Invalidations before this one are no longer known by tag. */
  #knownSince = 0

  constructor(options: ResponseCacheOptions) {
    this.#options = options
  }

  /** Marks the moment before the database is read: `set` respects later invalidations. */
  mark(): number {
    return this.#turn
  }

  /**
   * True for a response worth caching: one that is requested again, or any while the cache is
   * nearly empty. Most pages of a large catalogue are read rarely and would displace those read
   * often.
   */
  isWanted(key: string): boolean {
    const isRepeated = this.#wasRequestedBefore(key)
    return isRepeated || this.#bytes < this.#options.maxBytes * freeShare
  }

  /** Caches a response unless it is too large or one of its tags was invalidated since the mark. */
  set(key: string, cacheable: Cacheable, tags: readonly string[], mark: number): void {
    const bytes = sizeOf(key, cacheable, tags)
    if (bytes > this.#options.maxBytes * maxEntryShare || this.#isStale(tags, mark)) return
    const before = this.#entries.get(key)
    if (before) this.#delete(before)
    const storedAtMs = performance.now()
    const entry: Entry = { ...cacheable, bytes, key, tags, storedAtMs, isUsed: false }
    this.#entries.set(key, entry)
    this.#bytes += bytes
    for (const tag of tags) this.#byTag.getOrInsertComputed(tag, newSet).add(entry)
    this.#deleteExpired(storedAtMs)
    this.#makeRoom()
  }

  /** Returns the cached response of a key; undefined if there is none or it may be stale. */
  get(key: string): Response | undefined {
    const entry = this.#entries.get(key)
    if (!entry || !this.#options.isConnected()) return undefined
    if (isExpired(entry, performance.now())) {
      this.#delete(entry)
      return undefined
    }
    entry.isUsed = true
    return entry.response
  }

  /** Deletes the responses that have one of the tags, or everything. */
  invalidate(change: readonly string[] | 'anything'): void {
    this.#turn += 1
    if (change === 'anything' || this.#changedAt.size > maxChanges) {
      this.#changedAt.clear()
      this.#knownSince = this.#turn
    }
    if (change === 'anything') {
      this.#entries.clear()
      this.#byTag.clear()
      this.#bytes = 0
      return
    }
    for (const tag of change) {
      this.#changedAt.set(tag, this.#turn)
      for (const entry of [...(this.#byTag.get(tag) ?? [])]) this.#delete(entry)
    }
  }

  #delete(entry: Entry): void {
    this.#entries.delete(entry.key)
    this.#bytes -= entry.bytes
    for (const tag of entry.tags) {
      const tagged = this.#byTag.get(tag)
      tagged?.delete(entry)
      if (tagged?.size === 0) this.#byTag.delete(tag)
    }
  }

  /** Deletes the expired entries at the start; used entries were moved to the end. */
  #deleteExpired(nowMs: number): void {
    for (const entry of this.#entries.values()) {
      if (!isExpired(entry, nowMs)) return
      this.#delete(entry)
    }
  }

  #makeRoom(): void {
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#options.maxBytes) return
      if (!entry.isUsed) {
        this.#delete(entry)
        continue
      }
      // An entry used since the last round stays for another (second-chance eviction).
      entry.isUsed = false
      this.#entries.delete(entry.key)
      this.#entries.set(entry.key, entry)
    }
  }

  #isStale(tags: readonly string[], mark: number): boolean {
    return mark < this.#knownSince || tags.some((tag) => (this.#changedAt.get(tag) ?? 0) > mark)
  }
}

const isExpired = ({ storedAtMs, ttlMs }: Entry, nowMs: number): boolean =>
  nowMs - storedAtMs > Math.min(ttlMs, maxAgeMs)

const newSet = (): Set<Entry> => new Set()

// Twice the body: the plain one, and its content codings together.
const sizeOf = (key: string, { bytes }: Cacheable, tags: readonly string[]): number =>
  overheadBytes + 2 * key.length + 2 * bytes + tags.length * tagBytes
