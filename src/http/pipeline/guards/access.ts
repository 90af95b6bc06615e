import { requireFullSignIn, requireScope, requireUser } from '#http/declare/permissions.ts'
import {
  type AccessPolicy,
  needsFullSignIn,
  permits,
  type RestrictedAccess,
  requiredScopesOf,
} from '#http/declare/policy.ts'
import { entityNameOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { mayHoldApiKey } from '#http/exchange/api-key-location.ts'
import type { AdmittedExchange, AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { Guard, OpenApiFragment } from '#http/exchange/step.ts'
import { resourceWord } from '#i18n/message.ts'
import { problem } from '#values/problem.ts'

type Found = Pick<AdmittedExchange, 'authorizedEntity' | 'deferredProblem'>

const admitted: Found = { authorizedEntity: undefined, deferredProblem: undefined }

/**
 * Throws 401, 403, 404 or 410 for a caller whom the access policy of the route does not admit. The
 * 401 of an anonymous caller is deferred where the body may hold an API key.
 */
export const accessGuard: Guard<AuthenticatedExchange, Found> = {
  name: 'access',
  prepare({ access, kind, guard }) {
    if (access.kind === 'no-authentication' || access.kind === 'optional-authentication') {
      const fragment = guard ? {} : { accessDescription: 'For everyone.' }
      return { fragment, check: () => admitted }
    }
    return {
      fragment: {
        ...describeAccessPolicy(access, kind),
        problemHeaders: { 403: ['WWW-Authenticate'] },
      },
      check: (exchange) => admit(access, exchange),
    }
  },
}

const withPassword = ' who have proved their password'

function describeAccessPolicy(access: RestrictedAccess, kind: Route['kind']): OpenApiFragment {
  const requiredScopes = requiredScopesOf(access)
  switch (access.kind) {
    case 'signed-in':
      return {
        requiredScopes,
        accessDescription: 'For signed-in users.',
        problems: ['4011', '4031', '4033'],
      }
    case 'admin':
      return {
        requiredScopes,
        accessDescription: access.fullSignIn
          ? `For administrators${withPassword}.`
          : 'For administrators.',
        problems: ['4011', '4031', '4033'],
      }
    case 'owner-by-path':
      return {
        requiredScopes,
        accessDescription: `For that ${access.of}, and administrators.`,
        problems: ['4011', '4031', '4033', '4041', '4101'],
      }
    case 'owner-by-entity':
      return {
        requiredScopes,
        accessDescription: `For the owner of the ${entityNameOf(access.definition)}, and administrators${
          access.fullSignInForOthers ? withPassword : ''
        }.`,
        problems: [
          ...(['4011', '4031', '4033', '4041'] as const),
          ...(access.definition.isGone && kind !== 'remove' ? (['4101'] as const) : []),
        ],
      }
    default:
      return access satisfies never
  }
}

function admit(access: RestrictedAccess, exchange: AuthenticatedExchange): Found | Promise<Found> {
  const { actor, route, request, bodyApiKey } = exchange
  if (actor.credential === null && bodyApiKey === undefined && mayHoldApiKey(route, request)) {
    return { ...admitted, deferredProblem: problem('4011', 'detail.sign_in') }
  }
  requireUser(actor)
  if (access.kind === 'owner-by-entity') {
    requireScope(access.scope, actor)
    return admitOwnerOfEntity(access, exchange)
  }
  if (access.kind === 'admin' && actor.role !== 'admin') throw problem('4031', 'detail.admin_only')
  if (access.kind === 'owner-by-path') {
    const userId = exchange.params[access.param] ?? null
    if (actor.role !== 'admin' && actor.userId !== userId) {
      throw problem('4031', 'detail.not_owner')
    }
    requireScope(access.scope, actor)
    return actor.userId === userId ? admitted : requirePresence(access, exchange, userId)
  }
  for (const scope of requiredScopesOf(access)) requireScope(scope, actor)
  if (needsFullSignIn(access, actor, null)) requireFullSignIn(actor)
  return admitted
}

async function requirePresence(
  access: Extract<AccessPolicy, { kind: 'owner-by-path' }>,
  { ctx }: AuthenticatedExchange,
  userId: number | null,
): Promise<Found> {
  const presence = userId === null ? 'absent' : await access.presence(ctx, userId)
  if (presence === 'absent')
    throw problem('4041', 'detail.no_resource', { name: resourceWord(access.of) })
  if (presence === 'gone') throw problem('4101', 'detail.gone', { name: resourceWord(access.of) })
  return admitted
}

async function admitOwnerOfEntity(
  access: Extract<AccessPolicy, { kind: 'owner-by-entity' }>,
  exchange: AuthenticatedExchange,
): Promise<Found> {
  const { actor, ctx, params, route } = exchange
  const { definition } = access
  const entity: unknown = await definition.load(ctx, params)
  if (entity === undefined) {
    throw problem('4041', 'detail.no_resource', { name: resourceWord(entityNameOf(definition)) })
  }
  const ownerId = definition.owner?.(entity) ?? null
  if (needsFullSignIn(access, actor, ownerId) && actor.role === 'admin') requireFullSignIn(actor)
  if (!permits(access, actor, ownerId)) throw problem('4031', 'detail.not_owner')
  if (route.kind !== 'remove' && definition.isGone?.(entity)) {
    throw problem('4101', 'detail.gone', { name: resourceWord(entityNameOf(definition)) })
  }
  return { ...admitted, authorizedEntity: { by: definition.load, entity } }
}
