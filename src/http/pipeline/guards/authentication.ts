import type { Db } from '#db/database.ts'
import { type Actor, anonymous } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import type { Authenticated, Exchange, Negotiated } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'
import { createMessage } from '#i18n/message.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, type Problem } from '#values/problem.ts'
import { keyInQuery, keyName } from './api-key-location.ts'

/** What a credential may be bound to; a request of Fastify is one. */
export interface CarryingRequest {
  /** By which the log and the audit trail name the request. */
  readonly id?: string
  readonly method: string
  /** The target as it was sent, with prefix and query. */
  readonly originalUrl: string
  /** The address of the client, as far as proxies are believed. */
  readonly ip: string
  /** How the client came, as far as proxies are believed. */
  readonly protocol: 'http' | 'https'
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A credential as it was sent. */
export interface SentCredential {
  /** The scheme of Authorization (RFC 9110 11.1) in lower case. */
  readonly scheme: string
  /** What follows the scheme; empty where nothing does. */
  readonly text: string
  readonly request: CarryingRequest
}

/** Who a credential proves to be calling. */
export interface AuthenticationResult {
  readonly actor: Actor
  /** What the caller is told in Authentication-Info (RFC 7615), whatever the answer. */
  readonly info?: string
}

/** A kind of credential in the words of OpenAPI 3.1. */
export interface SecurityScheme extends Readonly<Record<string, unknown>> {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect'
}

/** Tells who is calling. Implemented by the identity modules. */
export interface Authentication {
  /**
   * The value of WWW-Authenticate: with 401 a challenge per enabled mechanism, with 403 what would let
   * the credential in `authorization` in. Undefined where neither applies.
   */
  readonly challenge: (
    refused: Problem,
    now: Instant,
    authorization: string | undefined,
  ) => string | undefined
  /** The enabled mechanisms, by name. */
  readonly security?: Readonly<Record<string, SecurityScheme>>
  /** The caller that the credential names; throws a Refusal (4012, 4013, 4032) for a bad one. */
  readonly identify: (db: Db, sent: SentCredential, now: Instant) => Promise<AuthenticationResult>
}

type Found = Pick<Authenticated, 'actor' | 'ctx'>

/** Identifies the caller; throws for a credential that does not verify, on public routes too. */
export const authenticationGuard = (authentication: Authentication): Guard<Negotiated, Found> => ({
  name: 'authentication',
  prepare({ access }) {
    if (access.kind === 'open')
      return { fragment: {}, check: (exchange) => callerIs(anonymous, exchange) }
    return {
      fragment: { problems: ['4001', '4003', '4012', '4013', '4031', '4032'] },
      check: (exchange) => {
        const sent = credentialOf(exchange)
        if (!sent) return callerIs(anonymous, exchange)
        const { db, now, responseHeaders } = exchange
        return authentication.identify(db, sent, now).then(({ actor, info }) => {
          if (info !== undefined) responseHeaders['authentication-info'] = info
          return callerIs(actor, exchange)
        })
      },
    }
  },
})

function callerIs(actor: Actor, exchange: Negotiated): Found {
  const { db, transaction, now, language, request } = exchange
  const { id: requestId, ip: address } = request
  const { userId: actorId, credential } = actor
  const auditActor = () => ({
    actorId,
    credential: credential?.scheme ?? null,
    address,
    requestId,
    at: now,
  })
  const ctx: Context = { db, transaction, actor, now, requestId, auditActor, language }
  return { actor, ctx }
}

function credentialOf({ request, bodyApiKey }: Exchange): SentCredential | undefined {
  const { authorization } = request.headers
  const inQuery = keyInQuery(request)
  if (authorization === undefined) {
    if (inQuery === undefined && bodyApiKey === undefined) return undefined
    return { scheme: 'api-key', text: theOneKey(inQuery, bodyApiKey), request }
  }
  if (inQuery !== undefined) throw tooManyCredentials(keyName, '4003')
  if (bodyApiKey !== undefined) throw tooManyCredentials(keyName, '4001')
  requireOne(request.raw.rawHeaders)
  const [, scheme = '', text = ''] = /^(\S+)(?: +(.*))?$/.exec(authorization) ?? []
  return { scheme: scheme.toLowerCase(), text, request }
}

/** Refuses with 400/4001 a request with two Authorization fields, of which Node keeps the first. */
function requireOne(rawHeaders: readonly string[]): void {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1
  }
  if (count > 1) throw tooManyCredentials('Authorization', '4001')
}

/** The API key of the query or the body; a value that can be none stands for an unknown key. */
function theOneKey(inQuery: unknown, inBody: unknown): string {
  const key = inQuery ?? inBody
  const isOne = inQuery === undefined || inBody === undefined
  if (!isOne || Array.isArray(inQuery)) throw tooManyCredentials(keyName, '4003')
  return typeof key === 'string' ? key : ''
}

/** The refusal of a request with more than one credential, naming where the other one stands. */
function tooManyCredentials(field: string, code: '4001' | '4003'): Problem {
  const message = createMessage('field.one_credential')
  if (code === '4003') return fieldProblem([{ field, message }], code)
  return fieldProblem([{ field, message, missing: true }])
}
