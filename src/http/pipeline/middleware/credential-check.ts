import type { Actor, Authority } from '#http/declare/actor.ts'
import { type AnyEntityDefinition, definitionOf } from '#http/declare/resource.ts'
import type { CreateResult } from '#http/declare/results.ts'
import type { Route } from '#http/declare/route.ts'
import { shownOnceFields } from '#http/declare/schema.ts'
import { requireScope } from '#http/pipeline/guards/access.ts'
import { problem } from '#values/problem.ts'

/**
 * Requires that a credential written by the caller allows no more than the caller's own: the same
 * user, no further scope, address or origin, and no later expiry. Throws 403/4033 for a scope and
 * 403/4031 for anything else.
 */
function requireWithin(actor: Actor, written: Authority): void {
  const { userId, credential } = actor
  if (written.userId !== null && written.userId !== userId) throw exceeds('user_id')
  for (const scope of written.scopes) requireScope(scope, actor)
  if (credential?.authority === 'password') return
  if (!credential) throw exceeds('user_id')
  const { expiresAt, addresses, origins } = credential.authority
  if (expiresAt !== null && (written.expiresAt === null || written.expiresAt > expiresAt)) {
    throw exceeds('expires_at')
  }
  if (!isWithin(written.addresses, addresses)) throw exceeds('allowed_addresses')
  if (!isWithin(written.origins, origins)) throw exceeds('allowed_origins')
}

const exceeds = (field: string) => problem('4031', 'detail.wider', { field })

const isWithin = (entries: readonly string[] | null, limit: readonly string[] | null): boolean =>
  limit === null || (entries?.every((entry) => limit.includes(entry)) ?? false)

/**
 * Compiles the check that a credential returned by a write allows no more than the caller's own;
 * undefined for a route that returns none. Throws a TypeError for a secret without an authority.
 */
export function compileCredentialCheck({ resource, kind, path, keepsAuthority = false }: Route) {
  const definition = definitionOf(resource)
  const isWrite = kind === 'create' || kind === 'replace' || kind === 'modify'
  if (!isWrite || keepsAuthority || definition.kind === 'document') return undefined
  const { authority, signedInActor, schema } = definition as AnyEntityDefinition
  if (!authority) {
    if (shownOnceFields(schema).length === 0 || signedInActor) return undefined
    throw new TypeError(`${path} shows a secret, and its definition has no authority`)
  }
  return (actor: Actor, result: unknown): void => {
    const entity = kind === 'create' ? (result as CreateResult<unknown>).entity : result
    requireWithin(actor, authority(entity))
  }
}
