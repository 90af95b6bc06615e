import type { TObject, TSchema } from 'typebox'
import type { Actor } from '#http/declare/actor.ts'
import type { Route } from '#http/declare/route.ts'
import type { ValidatedExchange } from '#http/pipeline/exchange.ts'
import { requireFullSignIn } from '#http/pipeline/guards/access.ts'
import type { Outcome } from '#http/pipeline/response.ts'
import type { Middleware, OpenApiFragment } from '#http/pipeline/step.ts'
import { problem } from '#values/problem.ts'

/**
 * Who may set a field. `administrators`: administrators who have proved their password.
 * `full-sign-in`: callers who may change the entity and have proved their password; on creation,
 * all who may create it.
 */
type FieldProtection = 'administrators' | 'full-sign-in'

interface ProtectedShape {
  readonly protection?: FieldProtection
  /** True where a PUT without the field sets it to null; otherwise the field keeps its value. */
  readonly clearedByPut?: boolean
}

/** Marks a field of a body that only some callers may set. */
export const protectedField = <S extends TSchema>(
  schema: S,
  protection: FieldProtection,
  { clearedByPut = false }: Pick<ProtectedShape, 'clearedByPut'> = {},
): S => ({ ...schema, protection, clearedByPut })

const fragment: OpenApiFragment = { problems: ['4031', '4033'] }

/** Throws 403 for a protected field in the body of a creation, before the body is validated. */
export const newFieldsMiddleware: Middleware<
  Pick<ValidatedExchange, 'actor' | 'request'>,
  void,
  Outcome
> = {
  name: 'protected fields of a new entity',
  prepare({ kind, body }) {
    const fields = kind === 'create' ? protectedIn(body, 'administrators') : []
    if (fields.length === 0) return undefined
    return {
      fragment,
      run: (exchange, next) => {
        const { actor, request } = exchange
        const { body } = request
        if (typeof body === 'object' && body !== null) {
          const field = fields.find((name) => Object.hasOwn(body, name))
          if (field !== undefined) requireAdministrator(actor, field)
        }
        return next()
      },
    }
  },
}

/** Throws 403 for a change of a protected field; a body may repeat the current value. */
export const changedFieldsMiddleware: Middleware<ValidatedExchange, void, Outcome> = {
  name: 'changed protected fields',
  prepare({ kind, body, resource }: Route) {
    if ((kind !== 'replace' && kind !== 'modify') || !('present' in resource)) return undefined
    const administered = protectedIn(body, 'administrators')
    const guarded = protectedIn(body, 'full-sign-in')
    if (administered.length + guarded.length === 0) return undefined
    const cleared = kind === 'replace' ? clearedIn(body) : {}
    return {
      fragment,
      run: (exchange, next) => {
        const { actor, ctx, current } = exchange
        const sent = { ...cleared, ...(exchange.input.body as Readonly<Record<string, unknown>>) }
        const shown = resource.present(current, ctx) as Readonly<Record<string, unknown>>
        const isChanged = (name: string) => sent[name] !== undefined && sent[name] !== shown[name]
        const field = administered.find(isChanged)
        if (field !== undefined) requireAdministrator(actor, field)
        if (guarded.some(isChanged)) requireFullSignIn(actor)
        return next()
      },
    }
  },
}

const shapesOf = (body: TObject | undefined) =>
  Object.entries((body?.properties ?? {}) as Record<string, ProtectedShape>)

const protectedIn = (body: TObject | undefined, protection: FieldProtection): readonly string[] =>
  shapesOf(body).flatMap(([name, shape]) => (shape.protection === protection ? [name] : []))

const clearedIn = (body: TObject | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    shapesOf(body).flatMap(([name, { clearedByPut }]) => (clearedByPut ? [[name, null]] : [])),
  )

function requireAdministrator(actor: Actor, field: string): void {
  if (actor.role !== 'admin') throw problem('4031', 'detail.administrators_field', { field })
  requireFullSignIn(actor)
}
