import { type Actor, anonymous } from '#http/declare/actor.ts'
import type { Authentication, SentCredential } from '#http/declare/authentication.ts'
import type { Context } from '#http/declare/context.ts'
import { apiKeyField, apiKeyInQuery } from '#http/exchange/api-key-location.ts'
import type {
  AdmittedExchange,
  AuthenticatedExchange,
  Exchange,
  NegotiatedExchange,
} from '#http/exchange/exchange.ts'
import { ignoresCredentials, ignoresEveryCredential } from '#http/exchange/ignored-credentials.ts'
import type { Guard } from '#http/exchange/step.ts'
import { countHeader } from '#http/message/request-validity.ts'
import { createMessage } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, Problem } from '#values/problem.ts'

type Found = Pick<AuthenticatedExchange, 'actor' | 'ctx' | 'confirmation'>

/** Identifies the caller; throws for an invalid credential, on public routes too. */
export const authenticationGuard = (
  authentication: Authentication,
): Guard<NegotiatedExchange, Found> => ({
  name: 'authentication',
  prepare({ access, method, transactions, upload }) {
    const mayAssume = method !== 'GET' && transactions !== 'own' && upload === undefined
    if (ignoresEveryCredential(access)) {
      return { fragment: {}, check: (exchange) => withActor(anonymous, exchange) }
    }
    return {
      fragment: { problems: ['4001', '4003', '4012', '4013', '4031', '4032'] },
      check: (exchange) => {
        const sent = ignoresCredentials(exchange) ? undefined : credentialOf(exchange)
        if (!sent) return withActor(anonymous, exchange)
        const { db, now, responseHeaders, mayAssumeCaller } = exchange
        const found = authentication.identify(db, sent, now, mayAssume && mayAssumeCaller)
        return found.then(({ actor, info, confirmation }) => {
          if (info !== undefined) responseHeaders['authentication-info'] = info
          // Whoever needs it awaits it, after other work.
          confirmation?.catch(() => undefined)
          return { ...withActor(actor, exchange), confirmation }
        })
      },
    }
  },
})

/**
 * Identifies the caller of an exchange again, by the credential that it began with. Throws as
 * `Authentication.identify`.
 */
export async function confirmActor(
  { identify, confirm = identify }: Authentication,
  exchange: AdmittedExchange,
  db: Db,
  now: Instant,
): Promise<Actor> {
  const sent = credentialOf(exchange)
  return sent ? (await confirm(db, sent, now)).actor : anonymous
}

/** True for the same user in the same role, with at least the same scopes. */
export const hasAtLeastPermissions = (found: Actor, before: Actor): boolean =>
  found.userId === before.userId &&
  found.role === before.role &&
  [...before.scopes].every((scope) => found.scopes.has(scope))

/**
 * Returns a function that checks whether the caller of an exchange may still do what it could.
 * While the database is unavailable, it is: then nothing can be read for the caller either.
 */
export const admissionCheck =
  (authentication: Authentication, clock: () => Instant) =>
  async (exchange: AdmittedExchange): Promise<boolean> => {
    const { db, actor } = exchange
    try {
      return hasAtLeastPermissions(await confirmActor(authentication, exchange, db, clock()), actor)
    } catch (error) {
      return !(error instanceof Problem)
    }
  }

function withActor(actor: Actor, exchange: NegotiatedExchange): Found {
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
  return { actor, ctx, confirmation: undefined }
}

function credentialOf({ request, bodyApiKey }: Exchange): SentCredential | undefined {
  const { authorization } = request.headers
  const inQuery = apiKeyInQuery(request)
  if (authorization === undefined) {
    if (inQuery === undefined && bodyApiKey === undefined) return undefined
    return { scheme: 'api-key', text: singleApiKey(inQuery, bodyApiKey), request }
  }
  if (inQuery !== undefined) throw multipleCredentials(apiKeyField, '4003')
  if (bodyApiKey !== undefined) throw multipleCredentials(apiKeyField, '4001')
  // Node keeps the first of two Authorization fields.
  if (countHeader(request.raw.rawHeaders, 'authorization') > 1) {
    throw multipleCredentials('Authorization', '4001')
  }
  const [, scheme = '', text = ''] = /^(\S+)(?: +(.*))?$/.exec(authorization) ?? []
  return { scheme: scheme.toLowerCase(), text, request }
}

/** The API key of the query or the body; a value that is no string becomes an unknown key. */
function singleApiKey(inQuery: unknown, inBody: unknown): string {
  const key = inQuery ?? inBody
  const isSingle = inQuery === undefined || inBody === undefined
  if (!isSingle || Array.isArray(inQuery)) throw multipleCredentials(apiKeyField, '4003')
  return typeof key === 'string' ? key : ''
}

/** The problem of a request with more than one credential; `field` holds the second one. */
function multipleCredentials(field: string, code: '4001' | '4003'): Problem {
  const message = createMessage('field.one_credential')
  if (code === '4003') return fieldProblem([{ field, message }], code)
  return fieldProblem([{ field, message, missing: true }])
}
