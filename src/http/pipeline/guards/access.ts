import { type Actor, isFullSignIn, type Scope } from '#http/declare/caller.ts'
import type { Route } from '#http/declare/operation.ts'
import { type Access, needsFullSignIn, permits } from '#http/declare/policy.ts'
import { singularOf } from '#http/declare/resource.ts'
import type { Exchange, Gate, Says } from '#http/pipeline/exchange.ts'
import { refusal } from '#values/problem.ts'
import { mayHoldKey } from './api-key-location.ts'

/**
 * Refuses whom the route's policy does not admit, before the body is read (401, 403, 404, 410).
 * Only the refusal of a caller without credentials waits for a body that may hold an API key.
 */
export const accessGate: Gate = {
  name: 'access',
  prepare({ access, verb }) {
    if (access.kind === 'open' || access.kind === 'anyone') return undefined
    return {
      says: { ...sayAccess(access, verb), refusalHeaders: { 403: ['WWW-Authenticate'] } },
      check: (exchange) => admit(access, exchange),
    }
  },
}

/** Refuses whoever is no user: with 401 who is nobody known, with 403 an application by itself. */
export function requireUser({ role, credential }: Actor): void {
  if (role !== null) return
  throw credential === null ? refusal('4011', 'detail.sign_in') : refusal('4031', 'detail.no_user')
}

/** Refuses with 403/4033 whoever has not proved the password of the account. */
export function requireFullSignIn(actor: Actor): void {
  if (!isFullSignIn(actor)) throw refusal('4033', 'detail.full_sign_in')
}

const byPassword = ' who have signed in with their password'

type Guarded = Exclude<Access, { kind: 'open' | 'anyone' }>

function sayAccess(access: Guarded, verb: Route['verb']): Says {
  const secured = access.scope
  switch (access.kind) {
    case 'signed-in':
      return { secured, admits: 'For whoever is signed in.', refusals: ['4011', '4031', '4033'] }
    case 'admin':
      return {
        secured,
        admits: access.fullSignIn ? `For administrators${byPassword}.` : 'For administrators.',
        refusals: ['4011', '4031', '4033'],
      }
    case 'owner-by-path':
      return {
        secured,
        admits: `For the ${access.of} that the path names, and for administrators.`,
        refusals: ['4011', '4031', '4033', '4041', '4101'],
      }
    case 'owner-by-entity':
      return {
        secured,
        admits: `For who owns the ${singularOf(access.thing)}, and for administrators${
          access.fullSignInForOthers ? byPassword : ''
        }.`,
        refusals: [
          ...(['4011', '4031', '4033', '4041'] as const),
          ...(access.thing.isGone && verb !== 'remove' ? (['4101'] as const) : []),
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
    exchange.postponed = refusal('4011', 'detail.sign_in')
    return
  }
  requireUser(actor)
  if (access.kind === 'owner-by-entity') {
    requireScope(access.scope, actor)
    return admitOwnerOfEntity(access, exchange)
  }
  if (access.kind === 'admin' && actor.role !== 'admin') throw refusal('4031', 'detail.admin_only')
  if (access.kind === 'owner-by-path') {
    const userId = exchange.params[access.param] ?? null
    if (actor.role !== 'admin' && actor.userId !== userId) {
      throw refusal('4031', 'detail.not_owner')
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
  if (!actor.scopes.has(scope)) throw refusal('4033', 'detail.scope', { scope })
}

async function requirePresence(
  access: Extract<Access, { kind: 'owner-by-path' }>,
  { ctx }: Exchange,
  userId: number | null,
): Promise<void> {
  const presence = userId === null ? 'absent' : await access.presence(ctx, userId)
  if (presence === 'absent') throw refusal('4041', 'detail.no_resource', { name: access.of })
  if (presence === 'gone') throw refusal('4101', 'detail.gone', { name: access.of })
}

async function admitOwnerOfEntity(
  access: Extract<Access, { kind: 'owner-by-entity' }>,
  exchange: Exchange,
): Promise<void> {
  const { actor, ctx, params, route } = exchange
  const { thing } = access
  const entity: unknown = await thing.load(ctx, params)
  if (entity === undefined) throw refusal('4041', 'detail.no_resource', { name: singularOf(thing) })
  const ownerId = thing.owner?.(entity) ?? null
  if (needsFullSignIn(access, actor, ownerId) && actor.role === 'admin') requireFullSignIn(actor)
  if (!permits(access, actor, ownerId)) throw refusal('4031', 'detail.not_owner')
  if (route.verb !== 'remove' && thing.isGone?.(entity)) {
    throw refusal('4101', 'detail.gone', { name: singularOf(thing) })
  }
  exchange.admitted = { by: thing.load, entity }
}
