import type { Context } from './context.ts'

/** How many times as long as it was sent a body may become, beyond the first 16 MiB: files of tables stay far below. */
const maxExpansion = 200
const freelyExpandedBytes = 16_777_216

/** Returns the bytes that may be made of a body of which so many were sent, within the limit of its route. */
export const maxDecodedBytes = (sentBytes: number, limitBytes: number): number =>
  Math.min(limitBytes, Math.max(freelyExpandedBytes, sentBytes * maxExpansion))

/** A body that is read as it arrives. */
export interface UploadedBody {
  /** The media type, in lower case and without parameters. */
  readonly mediaType: string
  /** The value of `Content-Type`. */
  readonly contentType: string
  /**
   * The decoded content, to be read once and to its end. Throws 413/4131 past the limit, 400/4002 for
   * content that its content coding does not allow and, at the end, 400/4001 unless it has the
   * `Content-Digest` of the request (RFC 9530).
   */
  readonly content: AsyncIterable<Buffer>
  /** The SHA-256 digest of the body, once it has been read to its end. */
  readonly digest: () => string
}

/** How a route receives a body that is neither JSON nor XML, or larger than other bodies may be. */
export interface UploadOptions<Received> {
  /** The OpenAPI schema of each media type that the route accepts; any other is 415/4151. */
  readonly mediaTypes: Readonly<Record<string, object>>
  /** The maximum size of the decoded body, in bytes; above it, 413/4131. */
  readonly limitBytes: number
  /**
   * Reads the body before the transaction begins, and stores what must not be held in memory. The
   * request may end in a problem after it, so something else must remove what no entity refers to.
   */
  readonly receive: (
    ctx: Context,
    // biome-ignore lint/suspicious/noExplicitAny: `upload` restores the precise types
    input: { readonly params: any; readonly filters: any; readonly body: UploadedBody },
  ) => Promise<Received>
}
