import type { Actor } from '#http/declare/actor.ts'
import { excessProblem, mayGiveAuthority } from '#http/declare/authority.ts'
import { type AnyEntityDefinition, definitionOf } from '#http/declare/resource.ts'
import type { CreateResult } from '#http/declare/results.ts'
import type { Route } from '#http/declare/route.ts'
import { shownOnceFields } from '#schema/words.ts'

/**
 * Compiles the check that a credential returned by a write allows no more than the caller's own: it
 * throws the problem of `excessProblem`. Undefined for a route that returns no credential. Throws a
 * TypeError for a secret without an authority.
 */
export function compileCredentialCheck(route: Route) {
  const { resource, kind, path } = route
  const definition = definitionOf(resource)
  if (!mayGiveAuthority(route) || definition.kind === 'document') return undefined
  const { authority, signedInActor, schema } = definition as AnyEntityDefinition
  if (!authority) {
    if (shownOnceFields(schema).length === 0 || signedInActor) return undefined
    throw new TypeError(`${path} shows a secret, and its definition has no authority`)
  }
  return (actor: Actor, result: unknown): void => {
    const entity = kind === 'create' ? (result as CreateResult<unknown>).entity : result
    const excess = excessProblem(actor, authority(entity))
    if (excess) throw excess
  }
}
