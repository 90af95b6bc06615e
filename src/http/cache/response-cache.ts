import type { Route } from '#http/declare/operation.ts'
import type { LastModified } from '#http/pipeline/middleware/last-modified.ts'
import { openAdmissionFilter } from './admission-filter.ts'

/** An answer as it is sent: the field lines that are the same each time, and the body's bytes. */
export interface CachedResponse {
  readonly route: Route
  /** Names and values in turn. */
  readonly head: readonly string[]
  /** The same of a 304. */
  readonly unchangedHead: readonly string[]
  /** Undefined where all that is known is what is told to those who have it already. */
  readonly body: string | Buffer | undefined
  /** The ETag before and after its content coding. */
  readonly plainTag: string
  readonly etag: string
  readonly lastModified: LastModified | undefined
  /** How long it stays the same if nothing changes. */
  readonly ttlMs: number
}

interface Kept extends CachedResponse {
  readonly key: string
  readonly names: readonly string[]
  readonly bytes: number
  readonly storedAtMs: number
  isUsed: boolean
}

/** How answers are kept. */
export interface ResponseCacheOptions {
  readonly maxBytes: number
  /** False while what others change may go unheard: nothing that is kept is believed then. */
  readonly isConnected: () => boolean
}

/** No older than `max-age` lets any cache keep it, should a change go unheard all the same. */
const maxAgeMs = 60_000
/** So much of the memory at most for one answer. */
const largestShare = 1 / 16
/** So much of the memory is for whatever is asked for, the rest for what is asked for again. */
const freeShare = 1 / 8
/** What an answer takes beside its bytes, and each name it is found by. */
const overheadBytes = 1024
const nameBytes = 128
const maxChanges = 10_000

/** Keeps answers as ready bytes, bounded in memory, until something that they rest on changes. */
export class ResponseCache {
  readonly #keeping: ResponseCacheOptions
  readonly #answers = new Map<string, Kept>()
  readonly #byName = new Map<string, Set<Kept>>()
  readonly #changedAt = new Map<string, number>()
  readonly #wasAsked = openAdmissionFilter()
  #bytes = 0
  #turn = 0
  /** Changes before this one are no longer known by name. */
  #known = 0

  constructor(keeping: ResponseCacheOptions) {
    this.#keeping = keeping
  }

  /** The moment from which changes count against an answer that begins to be made now. */
  mark(): number {
    return this.#turn
  }

  /**
   * Whether an answer is worth keeping: one that is asked for again, or any while there is much room. Most of a large
   * catalogue is asked for once in a while, and would only push out what is asked for all the time.
   */
  isWanted(key: string): boolean {
    const isAskedAgain = this.#wasAsked(key)
    return isAskedAgain || this.#bytes < this.#keeping.maxBytes * freeShare
  }

  /**
   * Keeps an answer that rests on what has these names, unless any of it has changed since the
   * mark or the answer is too large.
   */
  keep(key: string, answer: CachedResponse, names: readonly string[], mark: number): void {
    const bytes = sizeOf(key, answer, names)
    if (bytes > this.#keeping.maxBytes * largestShare || this.#isStale(names, mark)) return
    const before = this.#answers.get(key)
    if (before) this.#forget(before)
    const storedAtMs = performance.now()
    const kept: Kept = { ...answer, key, names, bytes, storedAtMs, isUsed: false }
    this.#answers.set(key, kept)
    this.#bytes += bytes
    for (const name of names) this.#byName.getOrInsertComputed(name, newSet).add(kept)
    this.#letOld(storedAtMs)
    this.#makeRoom()
  }

  /** The answer kept by this key, if it may still be given. */
  find(key: string): CachedResponse | undefined {
    const kept = this.#answers.get(key)
    if (!kept || !this.#keeping.isConnected()) return undefined
    if (isOver(kept, performance.now())) {
      this.#forget(kept)
      return undefined
    }
    kept.isUsed = true
    return kept
  }

  /** Drops what rests on the names, or everything. */
  drop(change: readonly string[] | 'anything'): void {
    this.#turn += 1
    if (change === 'anything' || this.#changedAt.size > maxChanges) {
      this.#changedAt.clear()
      this.#known = this.#turn
    }
    if (change === 'anything') {
      this.#answers.clear()
      this.#byName.clear()
      this.#bytes = 0
      return
    }
    for (const name of change) {
      this.#changedAt.set(name, this.#turn)
      for (const kept of [...(this.#byName.get(name) ?? [])]) this.#forget(kept)
    }
  }

  #forget(kept: Kept): void {
    this.#answers.delete(kept.key)
    this.#bytes -= kept.bytes
    for (const name of kept.names) {
      const resting = this.#byName.get(name)
      resting?.delete(kept)
      if (resting?.size === 0) this.#byName.delete(name)
    }
  }

  /** What may no longer be given takes no memory: the oldest come first, but for those that were given room anew. */
  #letOld(nowMs: number): void {
    for (const kept of this.#answers.values()) {
      if (!isOver(kept, nowMs)) return
      this.#forget(kept)
    }
  }

  #makeRoom(): void {
    for (const kept of this.#answers.values()) {
      if (this.#bytes <= this.#keeping.maxBytes) return
      if (!kept.isUsed) {
        this.#forget(kept)
        continue
      }
      // Whoever was asked for since the last round gets another one.
      kept.isUsed = false
      this.#answers.delete(kept.key)
      this.#answers.set(kept.key, kept)
    }
  }

  #isStale(names: readonly string[], mark: number): boolean {
    return mark < this.#known || names.some((name) => (this.#changedAt.get(name) ?? 0) > mark)
  }
}

const isOver = ({ storedAtMs, ttlMs }: Kept, nowMs: number): boolean =>
  nowMs - storedAtMs > Math.min(ttlMs, maxAgeMs)

const newSet = (): Set<Kept> => new Set()

const sizeOf = (key: string, { head, body }: CachedResponse, names: readonly string[]): number =>
  overheadBytes +
  2 * key.length +
  (body?.length ?? 0) +
  names.length * nameBytes +
  head.reduce((sum, text) => sum + text.length, 0)

/** Header fields that are another in each answer, or written by the server. */
const passing = new Set([
  'x-request-id',
  'strict-transport-security',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'content-length',
  'date',
  'connection',
])
const ofTheBody = new Set(['content-type', 'content-length', 'content-encoding'])

/** Makes the field lines of an answer of those that were set, for 200 and for 304; without a body for 304 alone. */
export function headOf(
  headers: Readonly<Record<string, unknown>>,
  body: string | Buffer | undefined,
): Pick<CachedResponse, 'head' | 'unchangedHead'> {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    passing.has(name) ? [] : [[name, String(value)] as const],
  )
  if (body !== undefined) lines.push(['content-length', String(Buffer.byteLength(body))])
  return {
    head: lines.flat(),
    unchangedHead: lines.filter(([name]) => !ofTheBody.has(name)).flat(),
  }
}
