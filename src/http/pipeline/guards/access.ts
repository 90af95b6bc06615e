import { type Actor, isFullSignIn, type Scope } from '#http/declare/caller.ts'
import type { Route } from '#http/declare/operation.ts'
import { type Access, needsFullSignIn, permits } from '#http/declare/policy.ts'
import { singularOf } from '#http/declare/resource.ts'
import type { Exchange, Guard, OpenApiFragment } from '#http/pipeline/exchange.ts'
import { problem } from '#values/problem.ts'
import { mayHoldKey } from './api-key-location.ts'

/**
 * Refuses whom the route's policy does not admit, before the body is read (401, 403, 404, 410).
 * Only the refusal of a caller without credentials waits for a body that may hold an API key.
 */
export const accessGuard: Guard = {
  name: 'access',
  prepare({ access, kind }) {
    if (access.kind === 'open' || access.kind === 'anyone') return undefined
    return {
      fragment: {
        ...describeAccessPolicy(access, kind),
        problemHeaders: { 403: ['WWW-Authenticate'] },
      },
      check: (exchange) => admit(access, exchange),
    }
  },
}

/** Refuses whoever is no user: with 401 who is nobody known, with 403 an application by itself. */
export function requireUser({ role, credential }: Actor): void {
  if (role !== null) return
  throw credential === null ? problem('4011', 'detail.sign_in') : problem('4031', 'detail.no_user')
}

/** Refuses with 403/4033 whoever has not proved the password of the account. */
export function requireFullSignIn(actor: Actor): void {
  if (!isFullSignIn(actor)) throw problem('4033', 'detail.full_sign_in')
}

const byPassword = ' who have signed in with their password'

type Guarded = Exclude<Access, { kind: 'open' | 'anyone' }>

function describeAccessPolicy(access: Guarded, kind: Route['kind']): OpenApiFragment {
  const secured = access.scope
  switch (access.kind) {
    case 'signed-in':
      return { secured, admits: 'For whoever is signed in.', problems: ['4011', '4031', '4033'] }
    case 'admin':
      return {
        secured,
        admits: access.fullSignIn ? `For administrators${byPassword}.` : 'For administrators.',
        problems: ['4011', '4031', '4033'],
      }
    case 'owner-by-path':
      return {
        secured,
        admits: `For the ${access.of} that the path names, and for administrators.`,
        problems: ['4011', '4031', '4033', '4041', '4101'],
      }
    case 'owner-by-entity':
      return {
        secured,
        admits: `For who owns the ${singularOf(access.definition)}, and for administrators${
          access.fullSignInForOthers ? byPassword : ''
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

function admit(access: Access, exchange: Exchange): void | Promise<void> {
  if (access.kind === 'open' || access.kind === 'anyone') return
  const { actor, route, request } = exchange
  if (actor.credential === null && mayHoldKey(route, request)) {
    exchange.deferredError = problem('4011', 'detail.sign_in')
    return
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
    if (actor.userId !== userId) return requirePresence(access, exchange, userId)
    return
  }
  requireScope(access.scope, actor)
  if (needsFullSignIn(access, actor, null)) requireFullSignIn(actor)
}

/** Refuses with 403/4033 a credential that does not hold a scope. */
export function requireScope(scope: Scope, actor: Actor): void {
  if (!actor.scopes.has(scope)) throw problem('4033', 'detail.scope', { scope })
}

async function requirePresence(
  access: Extract<Access, { kind: 'owner-by-path' }>,
  { ctx }: Exchange,
  userId: number | null,
): Promise<void> {
  const presence = userId === null ? 'absent' : await access.presence(ctx, userId)
  if (presence === 'absent') throw problem('4041', 'detail.no_resource', { name: access.of })
  if (presence === 'gone') throw problem('4101', 'detail.gone', { name: access.of })
}

async function admitOwnerOfEntity(
  access: Extract<Access, { kind: 'owner-by-entity' }>,
  exchange: Exchange,
): Promise<void> {
  const { actor, ctx, params, route } = exchange
  const { definition } = access
  const entity: unknown = await definition.load(ctx, params)
  if (entity === undefined)
    throw problem('4041', 'detail.no_resource', { name: singularOf(definition) })
  const ownerId = definition.owner?.(entity) ?? null
  if (needsFullSignIn(access, actor, ownerId) && actor.role === 'admin') requireFullSignIn(actor)
  if (!permits(access, actor, ownerId)) throw problem('4031', 'detail.not_owner')
  if (route.kind !== 'remove' && definition.isGone?.(entity)) {
    throw problem('4101', 'detail.gone', { name: singularOf(definition) })
  }
  exchange.authorizedEntity = { by: definition.load, entity }
}
