import type { Actor, Authority } from '#http/declare/caller.ts'
import type { AnyEntityDefinition } from '#http/declare/resource.ts'
import type { Outcome, Route } from '#http/declare/route.ts'
import { secretFieldsOf } from '#http/declare/schema.ts'
import { requireScope } from '#http/pipeline/guards/access.ts'
import { problem } from '#values/problem.ts'

/**
 * Requires that a credential which the caller has created, changed or replaced gives no more than
 * the caller's own: the same user, no further scope, no longer life, no further address or origin.
 * Throws 403/4033 for a scope and 403/4031 for anything else.
 */
function requireWithin(actor: Actor, made: Authority): void {
  const { userId, credential } = actor
  if (made.userId !== null && made.userId !== userId) throw wider('user_id')
  for (const scope of made.scopes) requireScope(scope, actor)
  if (credential?.authority === 'password') return
  if (!credential) throw wider('user_id')
  const { expiresAt, addresses, origins } = credential.authority
  if (expiresAt !== null && (made.expiresAt === null || made.expiresAt > expiresAt)) {
    throw wider('expires_at')
  }
  if (!isWithin(made.addresses, addresses)) throw wider('allowed_addresses')
  if (!isWithin(made.origins, origins)) throw wider('allowed_origins')
}

const wider = (field: string) => problem('4031', 'detail.wider', { field })

const isWithin = (entries: readonly string[] | null, all: readonly string[] | null): boolean =>
  all === null || (entries?.every((entry) => all.includes(entry)) ?? false)

/**
 * Holds the credential that a write returns to that of its caller; undefined where a route returns
 * none. Throws a TypeError for a secret whose definition does not say what it may be used for.
 */
export function boundsOf({ resource, kind, path }: Route) {
  const definition = resource.kind === 'collection' ? resource.item : resource
  const isWrite = kind === 'create' || kind === 'replace' || kind === 'modify'
  if (!isWrite || definition.kind === 'document') return undefined
  const { authority, caller, schema } = definition as AnyEntityDefinition
  if (!authority) {
    if (secretFieldsOf(schema).length === 0 || caller) return undefined
    throw new TypeError(`${path} shows a secret, and its definition has no authority`)
  }
  return (actor: Actor, result: unknown): void => {
    const entity = kind === 'create' ? (result as Outcome<unknown>).entity : result
    requireWithin(actor, authority(entity))
  }
}
