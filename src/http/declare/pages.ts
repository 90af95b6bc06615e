import type { PageRequest, PageResult } from '#store/query/page.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import type { Instant } from '#values/instant.ts'

/** The requested page of a list, by number or by cursor. */
export interface ListRequest extends PageRequest {
  /** True if the client sent a cursor. */
  readonly byCursor: boolean
  readonly times: TimeLimits
}

/** A page with the further members that its list declares. */
export interface ListedPage<E> extends PageResult<E> {
  readonly envelope?: object
}

/** The requested part of a feed. */
export interface FeedRequest {
  readonly limit: number
  /** The position of the cursor; undefined without one. */
  readonly after: FeedPosition | undefined
  /** The position after which nothing is returned; by default the end, read anew. */
  readonly upTo?: FeedPosition
}

/** The position of an entry in a feed. */
export interface FeedPosition {
  readonly number: number
  /**
   * The time of the entry, which tells it apart from another one with its number, once a backup is restored;
   * undefined where there is no entry.
   */
  readonly time?: Instant | undefined
}

/** Entries of a feed, and the position after them. */
export interface FeedPage<E> {
  readonly rows: readonly E[]
  readonly next: FeedPosition
  /** The end of the feed; no entry can appear before it any more. */
  readonly end: FeedPosition
}
