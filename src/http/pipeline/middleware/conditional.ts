import type { IncomingHttpHeaders } from 'node:http'
import { etagWithCoding, negotiateContentCoding } from '#http/codec/content-coding/negotiate.ts'
import { type AnyEntityDefinition, definitionOf, entityNameOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import {
  type AuthenticatedExchange,
  codecFor,
  type ValidatedExchange,
} from '#http/exchange/exchange.ts'
import { type Outcome, type Response, withHeaders } from '#http/exchange/response.ts'
import type { Middleware, PreparedMiddleware } from '#http/exchange/step.ts'
import { type LastModified, lastModifiedOf } from '#http/message/last-modified.ts'
import { appliedWait, preferredWaitMs } from '#http/message/preferences.ts'
import { defaultLanguage, type Language } from '#i18n/languages.ts'
import { resourceWord } from '#i18n/message.ts'
import { waitForClient } from '#values/deadline.ts'
import { toHttpDate } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { waitElsewhere } from '#values/request-place.ts'
import { describeWait } from './prefer.ts'

/**
 * The ETag of a state in one representation; it starts with the validator of the state. Callers
 * with the same permissions share it, so that a browser revalidates after signing in, unless the
 * representation depends on who the caller is.
 */
function etagOf(validator: string, exchange: AuthenticatedExchange): string {
  const { version, representation, actor, language } = exchange
  const form = `${representation.etagSuffix}${languageMark(language)}`
  return `"${validator}-v${version}${form}${callerMark(exchange)}${actor.permissionTag}"`
}

const languageMark = (language: Language): string =>
  language === defaultLanguage ? '' : `.${language}`

/** The part of an ETag that differs by user. */
function callerMark(exchange: AuthenticatedExchange): string {
  const { route, actor } = exchange
  // At a path such as /profile, another caller gets another entity.
  if (isOfCaller(route)) return `@${actor.userId ?? ''}`
  return actor.userId !== null && mayVaryByOwner(exchange) ? `@${actor.userId}` : ''
}

/** True if the representation may hold an entity whose owner gets further links. */
function mayVaryByOwner(exchange: AuthenticatedExchange): boolean {
  const { variesByOwner } = codecFor(exchange)
  const { include } = exchange.request.query as { readonly include?: unknown }
  return variesByOwner === 'always' || (variesByOwner === 'with-includes' && include !== undefined)
}

const isOfCaller = ({ resource, path, access }: Route): boolean =>
  resource.kind === 'singleton' && access.kind !== 'no-authentication' && !path.includes(':')

const tags = (header: string): readonly string[] => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? []

/** Sets ETag and Last-Modified. */
export const validatorsMiddleware: Middleware<AuthenticatedExchange, void, Response> = {
  name: 'validators',
  prepare({ resource, kind, method }) {
    if (method === 'DELETE') return undefined
    const definition = definitionOf(resource)
    const isDated = kind !== 'list' && kind !== 'follow' && 'changedAt' in definition
    return {
      fragment: { responseHeaders: isDated ? ['ETag', 'Last-Modified'] : ['ETag'] },
      run: async (exchange, next) => withValidators(exchange, await next()),
    }
  },
}

/**
 * Answers 304 if the copy of the client is fresh (RFC 9110 13.2.2: If-None-Match overrides
 * If-Modified-Since). Throws 412/4121 if another precondition of a GET fails.
 */
export const revalidateMiddleware: Middleware<AuthenticatedExchange, void, Response> = {
  name: 'revalidate',
  prepare({ method }) {
    if (method !== 'GET') return undefined
    return {
      fragment: {
        problems: ['4121'],
        statuses: { 304: 'Not modified; with the header fields of 200.' },
      },
      run: async (exchange, next) => revalidate(exchange, await next()),
    }
  },
}

function withValidators(exchange: AuthenticatedExchange, response: Response): Response {
  const { validator, lastModified, status } = response
  if (validator === undefined || status >= 300) return response
  const etag = etagOf(validator, exchange)
  return withHeaders(
    response,
    lastModified === undefined
      ? { etag }
      : { etag, 'last-modified': toHttpDate(lastModified.date) },
  )
}

function revalidate({ request }: AuthenticatedExchange, response: Response): Response {
  const { status, validator, lastModified } = response
  const etag = response.headers['etag']
  if (status !== 200 || etag === undefined || validator === undefined) return response
  if (!isStateExpected(request.headers, validator, () => lastModified)) {
    throw problem('4121', 'detail.changed', { etag })
  }
  const fresh = freshTag(request.headers, etag, lastModified)
  if (!fresh) return response
  // A 304 carries only the fields that a cache needs (RFC 9110 15.4.5).
  const { 'content-type': _, 'content-language': __, ...rest } = response.headers
  const headers = { ...rest, etag: fresh }
  const { download: _download, ...withoutDownload } = response
  return { ...withoutDownload, headers, status: 304, body: undefined, content: undefined }
}

/**
 * The ETag of the client's copy if that is fresh; `etag` is the ETag of the response without
 * content coding.
 */
function freshTag(
  headers: IncomingHttpHeaders,
  etag: string,
  lastModified: LastModified | undefined,
): string | undefined {
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = headers
  if (noneMatch !== undefined) return matchingTag(headers, etag)
  if (since === undefined || lastModified?.freshSince === undefined) return undefined
  return lastModified.freshSince <= Date.parse(since) ? etag : undefined
}

/**
 * True if the state is one that the client expects: listed in If-Match or, without that field, not
 * modified after If-Unmodified-Since (RFC 9110 13.2.2, steps 1 and 2). The ETag of any
 * representation of the state is accepted, since all of them change together.
 */
function isStateExpected(
  { 'if-match': match, 'if-unmodified-since': sent }: IncomingHttpHeaders,
  validator: string,
  lastModified: () => LastModified | undefined,
): boolean {
  if (match !== undefined) return tags(match).some((tag) => isOfState(tag, validator))
  const since = Date.parse(String(sent))
  return sent === undefined || Number.isNaN(since) || (lastModified()?.freshSince ?? 0) <= since
}

/** True for an ETag of the state; embedded resources are compared if both name them. */
function isOfState(tag: string, validator: string): boolean {
  if (tag === '*') return true
  const [, whole = '', revision] =
    /^"(([^+]*)(?:\+.*)?)-v\d+[a-z.]*([@~][\w@~]*)?(-[a-z]+)?"$/.exec(tag) ?? []
  const [ours] = validator.split('+', 1)
  return whole === validator || (revision === ours && (whole === revision || validator === ours))
}

/**
 * The ETag in If-None-Match that equals one of the response, with or without content coding;
 * undefined if none does. `etag` is the one without content coding.
 */
export function matchingTag(headers: IncomingHttpHeaders, etag: string): string | undefined {
  const { coding } = negotiateContentCoding(headers['accept-encoding'])
  const opaque = tags(headers['if-none-match'] ?? '').map((tag) => tag.replace(/^W\//, ''))
  const coded = coding === undefined ? etag : etagWithCoding(etag, coding)
  if (opaque.includes(coded)) return coded
  // A small response has no content coding even if the client accepts one.
  return opaque.includes(etag) || opaque.includes('*') ? etag : undefined
}

/** The configuration of preconditions. */
export interface Preconditions {
  /** True if a write without If-Match gets 428/4281 (RFC 6585 3); false by default. */
  readonly requireIfMatch?: boolean
}

type Found = Pick<ValidatedExchange, 'current'>
type LoadEntity = PreparedMiddleware<ValidatedExchange, Found, Outcome>

/**
 * Loads the entity that the path names (404, 410) and checks the preconditions of a write (412,
 * 428), in the transaction of the write.
 */
export const currentEntityMiddleware = ({
  requireIfMatch = false,
}: Preconditions): Middleware<ValidatedExchange, Found, Outcome> => ({
  name: 'current entity',
  prepare({ resource, kind }) {
    if (resource.kind === 'document' || resource.kind === 'collection' || kind === 'create') {
      return undefined
    }
    return kind === 'read' ? loadToRead(resource) : loadToWrite(kind, resource, requireIfMatch)
  },
})

function loadToRead(definition: AnyEntityDefinition): LoadEntity {
  return {
    fragment: {
      problems: definition.isGone ? ['4041', '4101'] : ['4041'],
      ...describeWait({ resource: definition }),
    },
    run: async (exchange, next) => {
      const { authorizedEntity, ctx, params } = exchange
      const isLoaded = authorizedEntity?.by === definition.load
      const current: unknown = isLoaded
        ? authorizedEntity?.entity
        : await definition.load(ctx, params)
      requireEntity(definition, current)
      return next({ current: await awaitEnd(definition, current, exchange) })
    },
  }
}

/** Waits until the work on an entity has ended, as long as the client prefers. */
async function awaitEnd(
  { waitForEnd }: AnyEntityDefinition,
  current: unknown,
  { request, ctx, responseHeaders }: ValidatedExchange,
): Promise<unknown> {
  if (!waitForEnd) return current
  const prefer = request.headers['prefer']?.toString()
  const waitMs = preferredWaitMs(prefer)
  if (waitMs === 0) return current
  responseHeaders['preference-applied'] = appliedWait(prefer).join()
  return waitElsewhere(() => waitForClient(() => waitForEnd(ctx, current, waitMs)))
}

function loadToWrite(
  kind: Route['kind'],
  definition: AnyEntityDefinition,
  requireIfMatch: boolean,
): LoadEntity {
  const { loadForUpdate = definition.load } = definition
  const gone = definition.isGone && kind !== 'remove' ? (['4101'] as const) : []
  const unconditional = requireIfMatch ? (['4281'] as const) : []
  return {
    fragment: {
      requestHeaders: ['If-Match'],
      problems: ['4041', ...gone, '4121', ...unconditional],
    },
    run: async (exchange, next) => {
      // Loaded again inside the transaction: what the access guard loaded may be stale.
      const current: unknown = await loadForUpdate(
        exchange.ctx,
        exchange.params,
        exchange.input.body,
      )
      if (kind === 'remove' && current !== undefined && definition.isGone?.(current)) {
        return { status: 204, headers: {} }
      }
      requireEntity(definition, current)
      if (requireIfMatch && exchange.request.headers['if-match'] === undefined) {
        throw problem('4281', 'detail.if_match')
      }
      checkPreconditions(definition, current, exchange)
      return next({ current })
    },
  }
}

function requireEntity(definition: AnyEntityDefinition, entity: unknown): void {
  const name = entityNameOf(definition)
  if (entity === undefined)
    throw problem('4041', 'detail.no_resource', { name: resourceWord(name) })
  if (definition.isGone?.(entity))
    throw problem('4101', 'detail.gone', { name: resourceWord(name) })
}

/** Throws 412/4121 for a write meant for another state (RFC 9110 13.2.2, steps 1 to 3). */
function checkPreconditions(
  definition: AnyEntityDefinition,
  current: unknown,
  exchange: ValidatedExchange,
): void {
  const { headers } = exchange.request
  const noneMatch = headers['if-none-match']
  const isConditional =
    noneMatch !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  if (!isConditional) return
  const { ctx } = exchange
  const validator = String(definition.revision(current, ctx))
  const lastModified = (): LastModified | undefined => {
    const changedAt = definition.changedAt?.(current, ctx)
    return changedAt && lastModifiedOf(changedAt, ctx.now)
  }
  // If-None-Match compares weakly (RFC 9110 13.1.2).
  const known = tags(noneMatch ?? '').map((tag) => tag.replace(/^W\//, ''))
  const holds =
    isStateExpected(headers, validator, lastModified) &&
    !known.some((tag) => isOfState(tag, validator))
  if (!holds) throw problem('4121', 'detail.changed', { etag: etagOf(validator, exchange) })
}
