import type { TObject, TSchema } from 'typebox'
import type {
  AnyEntityDefinition,
  AnyResource,
  ComputedInclude,
  ReshapedBody,
  VersionChange,
} from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { amountOf } from '#http/declare/schema.ts'

/**
 * The routes as a version tells them. What they do is the same in all; from the second on, amounts
 * are objects, and a noun may say what else changes, from one version to the next.
 */
export function routesIn(version: number, routes: readonly Route[]): readonly Route[] {
  if (version === 1) return routes
  const shape = versionTransform(version)
  return routes.map((route) => {
    const resource = shape.resource(route.resource)
    return route.body
      ? { ...route, resource, ...shape.body(route, route.body) }
      : { ...route, resource }
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

function versionTransform(version: number) {
  const kept = new Map<unknown, unknown>()
  const once = <T>(key: unknown, make: () => T): T => {
    if (!kept.has(key)) kept.set(key, make())
    return kept.get(key) as T
  }
  const definitionIn = (definition: AnyEntityDefinition): AnyEntityDefinition =>
    once(definition, () => {
      const { schema, present } = shapeIn(version, definition)
      const told = {
        ...definition,
        schema: withAmounts(schema) as TObject,
        ...computedIncludesIn(definition),
      }
      if (!present) return told
      return { ...told, present: (entity, ctx) => present(definition.present(entity, ctx)) }
    })
  const computedIncludesIn = ({ computedIncludes }: AnyEntityDefinition) => {
    if (!computedIncludes) return undefined
    const entries = Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>)
    const transformed = entries.map(([name, computedInclude]) => [
      name,
      once(computedInclude, () => ({
        ...computedInclude,
        schema: withAmounts(computedInclude.schema),
      })),
    ])
    return { computedIncludes: Object.fromEntries(transformed) }
  }
  const resource = (own: AnyResource): AnyResource => {
    if (own.kind === 'document') return own
    if (own.kind === 'collection')
      return once(own, () => ({ ...own, item: definitionIn(own.item) }))
    return definitionIn(own)
  }
  const body = ({ resource: own }: Route, schema: TObject): Pick<Route, 'body' | 'accept'> => {
    const definition = own.kind === 'collection' ? own.item : own
    const other =
      definition.kind === 'document' ? undefined : shapeIn(version, definition).bodies.get(schema)
    const taken = once(schema, () => withAmounts(other?.schema ?? schema) as TObject)
    return other ? { body: taken, accept: other.accept } : { body: taken }
  }
  return { resource, body }
}

/** What a noun looks like in a version, before its amounts are objects. */
interface Shape {
  readonly schema: TObject
  /** Undefined where it is what the noun itself makes. */
  readonly present: ((told: object) => object) | undefined
  /** The bodies that are not those of the first version, by these. */
  readonly bodies: ReadonlyMap<TObject, ReshapedBody>
}

/** The shape of the first version with the changes of each version after it, up to this one. */
function shapeIn(version: number, { schema, versions = {} }: AnyEntityDefinition): Shape {
  const first: Shape = { schema, present: undefined, bodies: new Map() }
  return Object.entries(versions)
    .map(([number, change]) => ({ number: Number(number), change }))
    .filter(({ number }) => number <= version)
    .sort((one, other) => one.number - other.number)
    .reduce((before, { change }) => changed(before, change), first)
}

function changed(before: Shape, { schema, present, bodies }: VersionChange): Shape {
  const earlier = before.present
  const taken = new Map(before.bodies)
  for (const [body, { schema: asked, accept }] of bodies ?? []) {
    const known = before.bodies.get(body)
    const make = known ? (sent: unknown) => known.accept(accept(sent)) : accept
    taken.set(body, { schema: asked, accept: make })
  }
  return {
    schema: schema ?? before.schema,
    present: present && earlier ? (told) => present(earlier(told)) : (present ?? earlier),
    bodies: taken,
  }
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
