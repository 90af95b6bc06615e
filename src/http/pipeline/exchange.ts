import type { FastifyRequest } from 'fastify'
import type { TProperties } from 'typebox'
import type { CacheEntry } from '#http/cache/cache-entry.ts'
import type { Raw } from '#http/codec/raw-body.ts'
import type { Actor, Scope } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/operation.ts'
import type { HeaderName } from '#http/response/header-fields.ts'
import type { Representation } from '#http/response/media-type.ts'
import type { ListRequest } from '#http/response/pages.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import type { Instant } from '#values/instant.ts'
import type { Problem } from '#values/problem.ts'
import type { LastModified } from './middleware/last-modified.ts'

/** What a stage, or the handler, answers with. Stages never touch Fastify's reply. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Makes the body's value; not called where no body is sent. */
  readonly body?: (() => unknown) | undefined
  /** The ETag's state part, without quotes and representation, where the answer has one. */
  readonly validator?: string | undefined
  readonly lastModified?: LastModified | undefined
  /** The user whose the thing is that is answered with. */
  readonly ownerId?: number | null
  /** True for what nobody is to store, whatever the route says. */
  readonly isUnstored?: boolean
  /** The names of what the answer rests on, where it may be kept until any of that changes. */
  readonly cacheTags?: (() => readonly string[] | undefined) | undefined
  /** What is left to do once the transaction is durable; its answer takes the place of this one. */
  readonly afterCommit?: () => Promise<Response>
  /** What the route's `recall` is given, where something is left to do. */
  readonly subject?: number
}

/** What the client sent, decoded and held to the route's schemas. */
export interface Input {
  readonly body: unknown
  readonly filters: unknown
  readonly page: ListRequest
  readonly include: readonly string[]
  /** What a signature was made over: the body as it came, and the header fields. */
  readonly raw: Raw
}

/** The use of an Idempotency-Key. */
export interface Claim {
  readonly name: string
  /** Another in another request. */
  readonly fingerprint: string
  /** What the work is about that goes on after the transaction. */
  subject: number | undefined
}

/** How a route looks in one version: what it takes, and what it answers. */
export interface VersionCodec {
  readonly represent: (exchange: Exchange, result: unknown) => Promise<Response>
  readonly readBody: ((body: unknown) => unknown) | undefined
  /** Reads an XML body as the JSON value it stands for; a long one as a promise of it. */
  readonly readXml: (text: string) => unknown
  readonly writeXml: (value: unknown) => string
}

/** The faces of a route, by version. */
export type VersionCodecs = readonly (VersionCodec | undefined)[]

/** The face that a route has for a request. */
export function codecFor({
  route,
  codecs,
  version,
}: Pick<Exchange, 'route' | 'codecs' | 'version'>) {
  const codec = codecs[version]
  if (!codec) throw new TypeError(`${route.path} has no version ${version}`)
  return codec
}

/** One request on its way through the gates and stages. */
export interface Exchange {
  readonly route: Route
  readonly request: FastifyRequest
  readonly now: Instant
  readonly params: Readonly<Record<string, number>>
  readonly codecs: VersionCodecs
  /** The version of the API served. */
  version: number
  /** The form of the answer, where it is no refusal. */
  representation: Representation
  /** What links of the answer start with, such as `/v1`; empty where the path named no version. */
  readonly prefix: string
  actor: Actor
  ctx: Context
  input: Input
  /** The entity that the access gate loaded, and the loader it used. */
  authorizedEntity?: { readonly by: unknown; readonly entity: unknown }
  /** The entity that the path names. */
  current?: unknown
  claim?: Claim
  /** The request that a refusal tells of, where it is not this one. */
  errorContext?: { readonly requestId: string; readonly now: Instant }
  /** The API key that the body held. */
  keyInBody?: unknown
  /** The refusal of a caller who is not known, while the body may still tell who it is. */
  deferredError?: Problem | undefined
  /** What the caller is told of its credentials, whatever the answer (RFC 7615). */
  authenticationInfo?: string
  /** Counts that the request is refused; throws 429/4291 where its caller was refused too often. */
  countProblem?: () => void | Promise<void>
  /** Of the answer, whatever it will be. */
  headers?: Readonly<Record<string, string>>
  /** Where the answer may be kept for others. */
  cacheEntry?: CacheEntry
}

/** Runs the stages further in, and the handler. */
export type Next = () => Promise<Response>
/** Makes the answer of what a handler returns. */
export type Show = (exchange: Exchange, result: unknown) => Promise<Response>
/** What a stage does with one request. */
export type Step = (exchange: Exchange, next: Next) => Promise<Response>

/** The part of an OpenAPI operation that a concern is responsible for. */
export interface OpenApiFragment {
  readonly requestHeaders?: readonly HeaderName[]
  /** Of every answer that is no refusal. */
  readonly responseHeaders?: readonly HeaderName[]
  /** Of every answer, refusals too. */
  readonly everyHeaders?: readonly HeaderName[]
  readonly query?: TProperties
  /** The media types of the answer. */
  readonly answerTypes?: readonly string[]
  /** The media types of the body. */
  readonly bodyTypes?: readonly string[]
  readonly problems?: readonly ErrorCode[]
  /** Of the refusals of a status. */
  readonly problemHeaders?: Readonly<Record<number, readonly HeaderName[]>>
  /** Further statuses without a body of the resource, with what they mean. */
  readonly statuses?: Readonly<Record<number, string>>
  /** The scope that a credential must hold. */
  readonly secured?: Scope
  /** The credentials that this route takes in place of those of users, as security schemes of OpenAPI. */
  readonly security?: Readonly<Record<string, object>>
  /** Who is let in, as a sentence; everybody where nobody says it. */
  readonly admits?: string
}

/** A concern settled before the body is read: lets the request pass or throws a Refusal. */
export interface Guard {
  readonly name: string
  /** Runs once per route; undefined where the concern does not touch it. */
  readonly prepare: (route: Route) =>
    | {
        readonly check: (exchange: Exchange) => void | Promise<void>
        readonly fragment: OpenApiFragment
      }
    | undefined
}

/** A concern around the handler. */
export interface Middleware {
  readonly name: string
  /** Runs once per route; undefined where the concern does not touch it. */
  readonly prepare: (
    route: Route,
    show: Show,
  ) => { readonly step: Step; readonly fragment: OpenApiFragment } | undefined
}

/** The answer with further headers. */
export const withHeaders = (
  answer: Response,
  headers: Readonly<Record<string, string>>,
): Response => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
