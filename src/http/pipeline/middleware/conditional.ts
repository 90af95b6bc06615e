import type { IncomingHttpHeaders } from 'node:http'
import { codedTag, welcomeOf } from '#http/codec/content-coding/negotiate.ts'
import { viewMark } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import type { Route } from '#http/declare/operation.ts'
import { unstored } from '#http/declare/policy.ts'
import { type AnyThing, singularOf } from '#http/declare/resource.ts'
import { type Answer, type Exchange, type Stage, withHeaders } from '#http/pipeline/exchange.ts'
import type { HeaderName } from '#http/response/header-fields.ts'
import { usualLanguage } from '#i18n/languages.ts'
import { toHttpDate } from '#values/instant.ts'
import { refusal } from '#values/problem.ts'
import { type LastModified, lastModifiedOf } from './last-modified.ts'

/**
 * The ETag of a state in one representation; the state comes first. It is the same for all callers
 * who are shown the same: where the links are other ones, whoever holds an answer of both (a browser
 * after signing in) asks which of them is good by their tags.
 */
function etagOf(validator: string, exchange: Exchange): string {
  const { version, representation, actor, ctx, route } = exchange
  // At an address such as /profile, another caller finds another thing.
  const whose = isOfCaller(route) ? `@${actor.userId ?? ''}` : ''
  const form = `${representation.mark}${languageMark(ctx)}`
  return `"${validator}-v${version}${form}${whose}${viewMark(actor)}"`
}

const languageMark = ({ language }: Context): string =>
  language === usualLanguage ? '' : `.${language}`

const isOfCaller = ({ noun, path, access }: Route): boolean =>
  noun.kind === 'singleton' && access.kind !== 'open' && !path.includes(':')

const preconditionsOfState = ['If-Match', 'If-Unmodified-Since'] as const

const tags = (header: string): readonly string[] => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? []

/** True when the answers of a route have an ETag; a document that nobody keeps needs none. */
export const isValidated = ({ noun, method, cache }: Route): boolean =>
  noun.kind === 'document' ? cache !== unstored : method !== 'DELETE'

/**
 * Tells the validators of an answer, and answers 304 where the client's copy is still good
 * (RFC 9110 13.1; If-None-Match wins over If-Modified-Since).
 */
export const validatorsStage: Stage = {
  name: 'validators',
  prepare(route) {
    if (!isValidated(route)) return undefined
    const { noun, method, verb } = route
    const thing = noun.kind === 'collection' ? noun.item : noun
    const isDated = verb !== 'list' && 'changedAt' in thing
    const responseHeaders: readonly HeaderName[] = isDated ? ['ETag', 'Last-Modified'] : ['ETag']
    if (method !== 'GET') {
      return {
        says: { responseHeaders },
        step: async (exchange, next) => withValidators(exchange, await next()),
      }
    }
    return {
      says: {
        requestHeaders: [...preconditionsOfState, 'If-None-Match', 'If-Modified-Since'],
        responseHeaders,
        refusals: ['4121'],
        statuses: { 304: 'Not modified since the validator sent.' },
      },
      step: async (exchange, next) => revalidate(exchange, withValidators(exchange, await next())),
    }
  },
}

function withValidators(exchange: Exchange, answer: Answer): Answer {
  const { validator, lastModified, status } = answer
  if (validator === undefined || status >= 300) return answer
  const etag = etagOf(validator, exchange)
  return withHeaders(
    answer,
    lastModified === undefined
      ? { etag }
      : { etag, 'last-modified': toHttpDate(lastModified.told) },
  )
}

function revalidate(exchange: Exchange, answer: Answer): Answer {
  const { request } = exchange
  const { validator, lastModified } = answer
  const etag = answer.headers['etag']
  if (answer.status !== 200 || etag === undefined || validator === undefined) return answer
  if (!isStateMeant(request.headers, validator, () => lastModified)) {
    throw refusal('4121', 'detail.changed', { etag })
  }
  const fresh = freshTag(request.headers, etag, answer.lastModified)
  if (!fresh) return answer
  // Of the representation nothing is told but what tells it from others (RFC 9110 15.4.5).
  const { 'content-type': _, 'content-language': __, ...rest } = answer.headers
  const headers = { ...rest, etag: fresh }
  return { ...answer, headers, status: 304, body: undefined }
}

/**
 * The ETag of what the client has, if that is still good; `etag` is that of the answer before its
 * content coding.
 */
export function freshTag(
  headers: IncomingHttpHeaders,
  etag: string,
  lastModified: LastModified | undefined,
): string | undefined {
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = headers
  if (noneMatch !== undefined) return matching(tags(noneMatch), etag, headers)
  if (since === undefined || lastModified?.goodSince === undefined) return undefined
  return lastModified.goodSince <= Date.parse(since) ? etag : undefined
}

/**
 * The first two steps of RFC 9110 13.2.2: whether the state with this validator is one of If-Match
 * or, where there is none, no younger than If-Unmodified-Since. Every representation of a state is
 * replaced at once, so any of its tags will do.
 */
function isStateMeant(
  { 'if-match': match, 'if-unmodified-since': sent }: IncomingHttpHeaders,
  validator: string,
  lastModified: () => LastModified | undefined,
): boolean {
  if (match !== undefined) return tags(match).some((tag) => isOfState(tag, validator))
  const since = Date.parse(String(sent))
  return sent === undefined || Number.isNaN(since) || (lastModified()?.goodSince ?? 0) <= since
}

/** Where both name what is embedded, that has to be the same as well. */
function isOfState(tag: string, validator: string): boolean {
  if (tag === '*') return true
  const [, whole = '', revision] =
    /^"(([^+]*)(?:\+.*)?)-v\d+[a-z.]*([@~][\w@~]*)?(-[a-z]+)?"$/.exec(tag) ?? []
  const [ours] = validator.split('+', 1)
  return whole === validator || (revision === ours && (whole === revision || validator === ours))
}

/** The ETag of the representation that the client has and could be sent now. */
function matching(sent: readonly string[], etag: string, headers: IncomingHttpHeaders) {
  const { coding } = welcomeOf(headers['accept-encoding'])
  const opaque = sent.map((tag) => tag.replace(/^W\//, ''))
  const coded = coding === undefined ? etag : codedTag(etag, coding)
  if (opaque.includes(coded)) return coded
  // A small answer is not coded even where that is welcome.
  return opaque.includes(etag) || opaque.includes('*') ? etag : undefined
}

/** What a change must say of the state that it is meant for. */
export interface Preconditions {
  /** Whether a change without If-Match is refused (RFC 6585 3); it is not by default. */
  readonly requireIfMatch?: boolean
}

/**
 * Loads what the path names (404, 410) and holds a write to its preconditions (412, 428), in the
 * transaction of the write.
 */
export const currentStage = ({ requireIfMatch = false }: Preconditions): Stage => ({
  name: 'current',
  prepare({ noun, verb }) {
    if (noun.kind === 'document' || noun.kind === 'collection' || verb === 'create') {
      return undefined
    }
    return verb === 'read' ? loadToRead(noun) : loadToWrite(verb, noun, requireIfMatch)
  },
})

function loadToRead(thing: AnyThing): ReturnType<Stage['prepare']> {
  return {
    says: { refusals: thing.isGone ? ['4041', '4101'] : ['4041'] },
    step: async (exchange, next) => {
      const { admitted, ctx, params } = exchange
      const loaded = admitted?.by === thing.load
      exchange.current = loaded ? admitted?.entity : await thing.load(ctx, params)
      requirePresent(thing, exchange.current)
      return next()
    },
  }
}

function loadToWrite(
  verb: Route['verb'],
  thing: AnyThing,
  requireIfMatch: boolean,
): ReturnType<Stage['prepare']> {
  const { hold = thing.load } = thing
  const gone = thing.isGone && verb !== 'remove' ? (['4101'] as const) : []
  const unconditional = requireIfMatch ? (['4281'] as const) : []
  return {
    says: {
      requestHeaders: [...preconditionsOfState, 'If-None-Match'],
      refusals: ['4041', ...gone, '4121', ...unconditional],
    },
    step: async (exchange, next) => {
      // The entity is loaded again inside the transaction: what the gate saw may be stale.
      const current: unknown = await hold(exchange.ctx, exchange.params)
      if (verb === 'remove' && current !== undefined && thing.isGone?.(current)) {
        return { status: 204, headers: {} }
      }
      requirePresent(thing, current)
      if (requireIfMatch && exchange.request.headers['if-match'] === undefined) {
        throw refusal('4281', 'detail.if_match')
      }
      holdToPreconditions(thing, current, exchange)
      exchange.current = current
      return next()
    },
  }
}

function requirePresent(thing: AnyThing, entity: unknown): void {
  const name = singularOf(thing)
  if (entity === undefined) throw refusal('4041', 'detail.no_resource', { name })
  if (thing.isGone?.(entity)) throw refusal('4101', 'detail.gone', { name })
}

/** Refuses a change of another state than the client means (RFC 9110 13.2.2, steps 1 to 3). */
function holdToPreconditions(thing: AnyThing, current: unknown, exchange: Exchange): void {
  const { headers } = exchange.request
  const noneMatch = headers['if-none-match']
  const isConditional =
    noneMatch !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  if (!isConditional) return
  const { ctx } = exchange
  const validator = String(thing.revision(current, ctx))
  const lastModified = (): LastModified | undefined => {
    const changedAt = thing.changedAt?.(current, ctx)
    return changedAt && lastModifiedOf(changedAt, ctx.now)
  }
  // If-None-Match compares weakly (RFC 9110 13.1.2).
  const known = tags(noneMatch ?? '').map((tag) => tag.replace(/^W\//, ''))
  const holds =
    isStateMeant(headers, validator, lastModified) &&
    !known.some((tag) => isOfState(tag, validator))
  if (!holds) throw refusal('4121', 'detail.changed', { etag: etagOf(validator, exchange) })
}
