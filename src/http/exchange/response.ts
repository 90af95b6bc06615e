import type { EventStream } from '#http/declare/event-stream.ts'
import type { AfterCommit } from '#http/declare/results.ts'
import type { LastModified } from '#http/message/last-modified.ts'
import type { Db } from '#store/database.ts'

/** The response as a value; `response/send.ts` writes it. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Makes the value of the body; not called where no body is sent. */
  readonly body?: (() => unknown) | undefined
  /** Sent instead of a body, without a content coding. */
  readonly content?: Buffer | undefined
  /** Sent instead of a body. */
  readonly stream?: EventStream
  /** Sent instead of a body: returns the text, or compressed bytes, read from a snapshot of the database. */
  readonly download?: (snapshot: Db) => AsyncGenerator<string | Buffer, void>
  /** The part of the ETag that names the state, without quotes and representation. */
  readonly validator?: string | undefined
  readonly lastModified?: LastModified | undefined
  /** ID of the owner of the returned entity. */
  readonly ownerId?: number | null
  /** True for a response that no cache may store, whatever the route declares. */
  readonly isUnstored?: boolean
  /** The tags by which a cached copy is invalidated; undefined where it must not be cached. */
  readonly cacheTags?: (() => readonly string[] | undefined) | undefined
}

/** What a handler's transaction leads to: a response, or work that starts after the commit. */
export type Outcome = Response | AfterCommit<Response>

/** The response with further header fields. */
export const withHeaders = (
  response: Response,
  headers: Readonly<Record<string, string>>,
): Response => ({ ...response, headers: { ...response.headers, ...headers } })
