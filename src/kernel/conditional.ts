import { toHttpDate } from '#values/instant.ts'
import { refusal } from '#values/refusal.ts'
import { codedTag, welcomeOf } from './content-coding.ts'
import { type Answer, type Exchange, type Stage, withHeaders } from './exchange.ts'
import type { HeaderName } from './header-fields.ts'
import { type AnyThing, singularOf } from './noun.ts'
import { unstored } from './policy.ts'
import type { Route } from './verb.ts'

/** The ETag of a state in one representation; the state comes first. */
const etagOf = (validator: string, { version, representation }: Exchange): string =>
  `"${validator}-v${version}${representation.mark}"`

const tags = (header: string): readonly string[] => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? []

const toSecond = (instant: number): number => Math.floor(instant / 1000) * 1000

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
    const isDated = verb !== 'list' && 'lastModified' in thing
    const responseHeaders: readonly HeaderName[] = isDated ? ['ETag', 'Last-Modified'] : ['ETag']
    if (method !== 'GET') {
      return {
        says: { responseHeaders },
        step: async (exchange, next) => withValidators(exchange, await next()),
      }
    }
    return {
      says: {
        requestHeaders: ['If-None-Match', 'If-Modified-Since'],
        responseHeaders,
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
    lastModified === undefined ? { etag } : { etag, 'last-modified': toHttpDate(lastModified) },
  )
}

function revalidate({ request }: Exchange, answer: Answer): Answer {
  const etag = answer.headers['etag']
  if (answer.status !== 200 || etag === undefined) return answer
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = request.headers
  const fresh =
    noneMatch === undefined
      ? answer.lastModified !== undefined &&
        since !== undefined &&
        toSecond(answer.lastModified) <= Date.parse(since)
        ? etag
        : undefined
      : matching(tags(noneMatch), etag, request)
  if (!fresh) return answer
  const headers = { ...answer.headers, etag: fresh }
  return { ...answer, headers, status: 304, body: undefined }
}

/** The ETag of the representation that the client has and could be sent now. */
function matching(sent: readonly string[], etag: string, { headers }: Exchange['request']) {
  const { coding } = welcomeOf(headers['accept-encoding'])
  const opaque = sent.map((tag) => tag.replace(/^W\//, ''))
  const coded = coding === undefined ? etag : codedTag(etag, coding)
  if (opaque.includes(coded)) return coded
  // A small answer is not coded even where that is welcome.
  return opaque.includes(etag) || opaque.includes('*') ? etag : undefined
}

/**
 * Loads what the path names (404, 410) and holds a write to its preconditions (412), in the
 * transaction of the write.
 */
export const currentStage: Stage = {
  name: 'current',
  prepare({ noun, verb }) {
    if (noun.kind === 'document' || noun.kind === 'collection' || verb === 'create') {
      return undefined
    }
    return verb === 'read' ? loadToRead(noun) : loadToWrite(verb, noun)
  },
}

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

function loadToWrite(verb: Route['verb'], thing: AnyThing): ReturnType<Stage['prepare']> {
  const { hold = thing.load } = thing
  return {
    says: {
      requestHeaders: ['If-Match', 'If-Unmodified-Since'],
      refusals: thing.isGone && verb !== 'remove' ? ['4041', '4101', '4121'] : ['4041', '4121'],
    },
    step: async (exchange, next) => {
      // The entity is loaded again inside the transaction: what the gate saw may be stale.
      const current: unknown = await hold(exchange.ctx, exchange.params)
      if (verb === 'remove' && current !== undefined && thing.isGone?.(current)) {
        return { status: 204, headers: {} }
      }
      requirePresent(thing, current)
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

function holdToPreconditions(thing: AnyThing, current: unknown, exchange: Exchange): void {
  const { 'if-match': match, 'if-unmodified-since': since } = exchange.request.headers
  if (match === undefined && since === undefined) return
  const validator = String(thing.revision(current, exchange.ctx))
  const holds =
    match === undefined
      ? isUnmodifiedSince(thing, current, Date.parse(String(since)))
      : // Every representation of a state is replaced at once, so any of its tags will do.
        tags(match).some(
          (tag) =>
            tag === '*' || /^"([^+]*)(\+.*)?-v\d+[a-z]*(-[a-z]+)?"$/.exec(tag)?.[1] === validator,
        )
  if (!holds) throw refusal('4121', 'detail.changed', { etag: etagOf(validator, exchange) })
}

function isUnmodifiedSince(thing: AnyThing, current: unknown, since: number): boolean {
  const modified = thing.lastModified?.(current)
  return Number.isNaN(since) || modified === undefined || toSecond(modified) <= since
}
