import type { TObject } from 'typebox'
import type { Actor } from '#http/declare/actor.ts'
import { requireFreshSignIn, requireFullSignIn } from '#http/declare/permissions.ts'
import type { Route } from '#http/declare/route.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware, OpenApiFragment } from '#http/exchange/step.ts'
import type { FieldProtection } from '#schema/keywords.ts'
import { objectShapeOf } from '#schema/shape.ts'
import { problem } from '#values/problem.ts'

const fragment: OpenApiFragment = { problems: ['4031', '4033'] }

/** Throws 403 for a protected field in the body of a creation, before the body is validated. */
export const newFieldsMiddleware: Middleware<
  Pick<ValidatedExchange, 'actor' | 'ctx' | 'request'>,
  void,
  Outcome
> = {
  name: 'protected fields of a new entity',
  prepare({ kind, body }) {
    const isCreation = kind === 'create'
    const fields = isCreation ? protectedIn(body, 'administrators') : []
    const byAny = isCreation ? protectedIn(body, 'administrators-any-credential') : []
    if (fields.length + byAny.length === 0) return undefined
    return {
      fragment,
      run: (exchange, next) => {
        const { actor, ctx, request } = exchange
        for (const given of objectsIn(request.body)) {
          const field = fields.find((name) => Object.hasOwn(given, name))
          if (field !== undefined) {
            requireAdministrator(actor, field)
            requireFreshSignIn(ctx)
          }
          const isGiven = (name: string) => (given[name] ?? null) !== null
          requireRole(actor, byAny.find(isGiven))
        }
        return next()
      },
    }
  },
}

/** The objects of a body that is not validated yet: itself, or those of a list. */
const objectsIn = (body: unknown) =>
  [body].flat().filter((each) => typeof each === 'object' && each !== null) as readonly Readonly<
    Record<string, unknown>
  >[]

/** Throws 403 for a change of a protected field; a body may repeat the current value. */
export const changedFieldsMiddleware: Middleware<ValidatedExchange, void, Outcome> = {
  name: 'changed protected fields',
  prepare({ kind, body, resource }: Route) {
    if ((kind !== 'replace' && kind !== 'modify') || !('present' in resource)) return undefined
    const administered = protectedIn(body, 'administrators')
    const byAny = protectedIn(body, 'administrators-any-credential')
    const fresh = protectedIn(body, 'fresh-sign-in')
    if (administered.length + byAny.length + fresh.length === 0) return undefined
    const cleared = kind === 'replace' ? clearedIn(body) : {}
    return {
      fragment,
      run: (exchange, next) => {
        const { actor, ctx, current } = exchange
        const sent = { ...cleared, ...(exchange.input.body as Readonly<Record<string, unknown>>) }
        const shown = resource.present(current, ctx) as Readonly<Record<string, unknown>>
        const isChanged = (name: string) => sent[name] !== undefined && sent[name] !== shown[name]
        const field = administered.find(isChanged)
        if (field !== undefined) {
          requireAdministrator(actor, field)
          requireFreshSignIn(ctx)
        }
        requireRole(actor, byAny.find(isChanged))
        if (fresh.some(isChanged)) {
          requireFullSignIn(actor)
          requireFreshSignIn(ctx)
        }
        return next()
      },
    }
  },
}

const keywordsOf = (body: TObject | undefined) =>
  body ? objectShapeOf(body).members.map(({ name, shape }) => ({ ...shape.schema, name })) : []

/** The names of the fields of a body with a protection. */
export const protectedIn = (
  body: TObject | undefined,
  protection: FieldProtection,
): readonly string[] =>
  keywordsOf(body).flatMap(({ name, protection: found }) => (found === protection ? [name] : []))

const clearedIn = (body: TObject | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    keywordsOf(body).flatMap(({ name, clearedByPut }) => (clearedByPut ? [[name, null]] : [])),
  )

/** Throws 403/4031 where somebody else than an administrator sets a field. */
function requireRole({ role }: Actor, field: string | undefined): void {
  if (field !== undefined && role !== 'admin') {
    throw problem('4031', 'detail.administrators_field', { field })
  }
}

function requireAdministrator(actor: Actor, field: string): void {
  requireRole(actor, field)
  requireFullSignIn(actor)
}
