import type { TObject, TSchema } from 'typebox'
import type { Route } from '#http/declare/operation.ts'
import type { AnyNoun, AnyThing, Supplement } from '#http/declare/resource.ts'
import { amountOf } from '#http/declare/schema.ts'

/**
 * The routes as a version tells them. What they do is the same in all; from the second on, amounts
 * are objects, and a noun may say what else it looks like.
 */
export function routesIn(version: number, routes: readonly Route[]): readonly Route[] {
  if (version === 1) return routes
  const shape = reshaper(version)
  return routes.map((route) => {
    const noun = shape.noun(route.noun)
    return route.body ? { ...route, noun, ...shape.body(route, route.body) } : { ...route, noun }
  })
}

/** The operations as a version tells them. */
export function operationsIn<O extends { readonly route: Route }>(
  version: number,
  operations: readonly O[],
): readonly O[] {
  const routes = routesIn(
    version,
    operations.map(({ route }) => route),
  )
  return operations.map((operation, at) => ({ ...operation, route: routes[at] ?? operation.route }))
}

function reshaper(version: number) {
  const kept = new Map<unknown, unknown>()
  const once = <T>(key: unknown, make: () => T): T => {
    if (!kept.has(key)) kept.set(key, make())
    return kept.get(key) as T
  }
  const thingIn = (thing: AnyThing): AnyThing =>
    once(thing, () => {
      const { schema = thing.schema, present } = thing.versions?.[version] ?? {}
      const told = { ...thing, schema: withAmounts(schema) as TObject, ...supplementsIn(thing) }
      if (!present) return told
      return { ...told, present: (entity, ctx) => present(thing.present(entity, ctx)) }
    })
  const supplementsIn = ({ supplements }: AnyThing) => {
    if (!supplements) return undefined
    const entries = Object.entries(supplements as Record<string, Supplement<unknown>>)
    const reshaped = entries.map(([name, supplement]) => [
      name,
      once(supplement, () => ({ ...supplement, schema: withAmounts(supplement.schema) })),
    ])
    return { supplements: Object.fromEntries(reshaped) }
  }
  const noun = (own: AnyNoun): AnyNoun => {
    if (own.kind === 'document') return own
    if (own.kind === 'collection') return once(own, () => ({ ...own, item: thingIn(own.item) }))
    return thingIn(own)
  }
  const body = ({ noun: own }: Route, schema: TObject): Pick<Route, 'body' | 'accept'> => {
    const thing = own.kind === 'collection' ? own.item : own
    const other = 'versions' in thing ? thing.versions?.[version]?.bodies.get(schema) : undefined
    const taken = once(schema, () => withAmounts(other?.schema ?? schema) as TObject)
    return other ? { body: taken, accept: other.accept } : { body: taken }
  }
  return { noun, body }
}

interface Nested {
  readonly logical?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

/** The schema with every amount as an object of a decimal text and its currency. */
function withAmounts(schema: TSchema): TSchema {
  const { logical, properties, items, anyOf } = schema as Nested
  if (logical === 'money') return amountOf(schema)
  const inner = {
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, withAmounts(property)]),
          ),
        }
      : {}),
    ...(items ? { items: withAmounts(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(withAmounts) } : {}),
  }
  return { ...schema, ...inner } as TSchema
}
