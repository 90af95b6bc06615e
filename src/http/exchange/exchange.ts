import type { FastifyRequest } from 'fastify'
import type { Actor } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import type { FeedRequest, ListRequest } from '#http/declare/pages.ts'
import type { RawInput } from '#http/declare/raw-input.ts'
import type { Route } from '#http/declare/route.ts'
import type { VersionNotice } from '#http/message/api-versions.ts'
import type { Representation } from '#http/message/media-type.ts'
import type { Language } from '#i18n/languages.ts'
import type { Db } from '#store/database.ts'
import type { Deadline } from '#values/deadline.ts'
import type { Instant } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'
import type { Response } from './response.ts'

/**
 * A request that matched a route. Guards add what they find to it, middleware to a copy for the
 * next steps; the types below state what is known after which step. `responseHeaders` is shared.
 */
export interface Exchange {
  readonly route: Route
  readonly request: FastifyRequest
  /** When the request arrived. */
  readonly now: Instant
  /** The same by `performance.now()`, to measure durations. */
  readonly arrivedAtMs: number
  /** How long the request may wait in all. */
  readonly deadline: Deadline
  readonly params: Readonly<Record<string, number>>
  readonly codecs: VersionCodecs
  /** The version of the API; the default one until negotiation. */
  readonly version: number
  /** What responses state about their version. */
  readonly versionNotices: ReadonlyMap<number, VersionNotice>
  readonly db: Db
  readonly transaction: Context['transaction']
  /** False once a caller was assumed that the credential does not prove any more. */
  mayAssumeCaller: boolean
  /** The version prefix of the path, such as `/v1`, which links repeat; empty without one. */
  readonly prefix: string
  /** Header fields of the response, whatever its status. */
  readonly responseHeaders: Record<string, string>
  /** The API key found in the body; undefined until the body is read. */
  readonly bodyApiKey: unknown
  /** The Idempotency-Key; undefined until it is read, and where there is none. */
  readonly idempotencyKey: IdempotencyKey | undefined
  /** The entity that the path names; undefined until it is loaded, and where the path names none. */
  readonly current: unknown
  /** What the route prepares before the transaction; undefined until then, and without `prepare`. */
  readonly prepared: unknown
  /**
   * Counts a problem response against the network of the client; throws 429/4291 over the limit.
   */
  readonly countProblem: () => void | Promise<void>
}

/** After content negotiation. */
export interface NegotiatedExchange extends Exchange {
  /** The media type of a response that is no problem. */
  readonly representation: Representation
  readonly language: Language
}

/** After authentication. */
export interface AuthenticatedExchange extends NegotiatedExchange {
  readonly actor: Actor
  readonly ctx: Context
  /** See `AuthenticationResult`. */
  readonly confirmation: Promise<boolean> | undefined
}

/** After the access policy. */
export interface AdmittedExchange extends AuthenticatedExchange {
  /** Takes the request out of the caller's rate limit; undefined where the route has none. */
  readonly uncount: (() => void) | undefined
  /** The entity that the access policy loaded, and the loader it used. */
  readonly authorizedEntity: { readonly by: unknown; readonly entity: unknown } | undefined
  /** The problem of an anonymous caller whose body, not read yet, may hold an API key. */
  readonly deferredProblem: Problem | undefined
}

/** After reading and validating the body and the query. */
export interface ValidatedExchange extends AdmittedExchange {
  readonly input: Input
}

/** The Idempotency-Key of a request. */
export interface IdempotencyKey {
  /** The digest of the key, its caller and the path. */
  readonly name: string
  /** The digest of the request. */
  readonly fingerprint: string
}

/** What the client sent, decoded and validated by the schemas of the route. */
export interface Input {
  readonly body: unknown
  readonly filters: unknown
  readonly page: ListRequest
  readonly feed: FeedRequest
  readonly include: readonly string[]
  /** What a signature covers: the body as it came, and the header fields. */
  readonly raw: RawInput
}

/**
 * Which public representations of a route vary by whether the caller owns an entity in them, since
 * its owner gets further links: all of them, or only those with includes.
 */
export type VariesByOwner = 'always' | 'with-includes' | 'never'

/** Writes the entities of a collection, some at a time. */
export interface RowWriter {
  /** What comes before the entities; empty in NDJSON. */
  readonly header: string
  /** Returns the lines of entities, with what the request includes. */
  readonly write: (entities: readonly unknown[]) => Promise<string>
}

/** Creates the writer of a request, in its format. */
export type CreateRowWriter = (exchange: ValidatedExchange) => Promise<RowWriter>

/** How one version of a route reads bodies and writes responses. */
export interface VersionCodec {
  readonly represent: (exchange: ValidatedExchange, result: unknown) => Promise<Response>
  readonly createRowWriter: CreateRowWriter
  readonly variesByOwner: VariesByOwner
  readonly readBody: ((body: unknown) => unknown) | undefined
  /** Parses an XML body into its JSON value; a promise of it for a long body. */
  readonly readXml: (text: string) => unknown
  readonly writeXml: (value: unknown) => string
}

/** The codecs of a route, by version. */
export type VersionCodecs = readonly (VersionCodec | undefined)[]

/** The codec for the version of a request. */
export function codecFor({
  route,
  codecs,
  version,
}: Pick<NegotiatedExchange, 'route' | 'codecs' | 'version'>): VersionCodec {
  const codec = codecs[version]
  if (!codec) throw new TypeError(`${route.path} has no version ${version}`)
  return codec
}

/** Turns the result of a handler into a response in the version and form of the request. */
export const represent = (exchange: ValidatedExchange, result: unknown): Promise<Response> =>
  codecFor(exchange).represent(exchange, result)
