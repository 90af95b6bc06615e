import type { TObject, TSchema } from 'typebox'
import type { ComputedInclude } from '#http/declare/related.ts'
import {
  type AnyEntityDefinition,
  type AnyResource,
  definitionOf,
  type VersionChange,
  type VersionedBody,
} from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { Schema } from '#schema/keywords.ts'
import { moneyObject } from '#schema/words.ts'

/**
 * Returns the routes with the schemas and representations of a version. Handlers are the same in all
 * versions. From version 2 on, amounts are objects; resources may declare further changes.
 */
export function routesOfVersion(version: number, routes: readonly Route[]): readonly Route[] {
  if (version === 1) return routes
  const shape = versionTransform(version)
  return routes.map((route) => {
    const resource = shape.resource(route.resource)
    if (route.body) return { ...route, resource, ...shape.body(route, route.body) }
    return route.envelope
      ? { ...route, resource, envelope: withAmounts(route.envelope) }
      : { ...route, resource }
  })
}

/** Returns the operations with the schemas and representations of a version. */
export function operationsOfVersion<O extends { readonly route: Route }>(
  version: number,
  operations: readonly O[],
): readonly O[] {
  const routes = routesOfVersion(
    version,
    operations.map(({ route }) => route),
  )
  return operations.map((operation, index) => ({
    ...operation,
    route: routes[index] ?? operation.route,
  }))
}

function versionTransform(version: number) {
  const cache = new Map<unknown, unknown>()
  const memoize = <T>(key: unknown, create: () => T): T => {
    if (!cache.has(key)) cache.set(key, create())
    return cache.get(key) as T
  }
  const definitionIn = (definition: AnyEntityDefinition): AnyEntityDefinition =>
    memoize(definition, () => {
      const { schema, present } = shapeIn(version, definition)
      const transformed = {
        ...definition,
        schema: withAmounts(schema),
        ...computedIncludesIn(definition),
      }
      if (!present) return transformed
      return { ...transformed, present: (entity, ctx) => present(definition.present(entity, ctx)) }
    })
  const computedIncludesIn = ({ computedIncludes }: AnyEntityDefinition) => {
    if (!computedIncludes) return undefined
    const entries = Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>)
    const transformed = entries.map(([name, computedInclude]) => [
      name,
      memoize(computedInclude, () => ({
        ...computedInclude,
        schema: withAmounts(computedInclude.schema),
      })),
    ])
    return { computedIncludes: Object.fromEntries(transformed) }
  }
  const resource = (own: AnyResource): AnyResource => {
    if (own.kind === 'document') return own
    if (own.kind === 'collection')
      return memoize(own, () => ({ ...own, item: definitionIn(own.item) }))
    return definitionIn(own)
  }
  const body = ({ resource: own }: Route, schema: TObject): Pick<Route, 'body' | 'convertBody'> => {
    const definition = definitionOf(own)
    const versioned = definition.kind === 'document' ? { schema } : definition
    return memoize(schema, () => bodyOfVersion(version, versioned, schema))
  }
  return { resource, body }
}

/** Returns a body of the first version as a version of the API has it, and what converts it back. */
export function bodyOfVersion(
  version: number,
  resource: VersionedDefinition,
  schema: TObject,
): { readonly body: TObject; readonly convertBody?: (body: unknown) => unknown } {
  const changed = shapeIn(version, resource).bodies.get(schema)
  const body = withAmounts(changed?.schema ?? schema)
  return changed ? { body, convertBody: changed.convertBody } : { body }
}

/** What the versions of a resource differ in. */
export type VersionedDefinition = Pick<AnyEntityDefinition, 'schema' | 'versions'>

/** Schema, representation and bodies of a resource in a version, before amounts become objects. */
interface VersionShape {
  readonly schema: TObject
  /** Undefined when it is that of the first version. */
  readonly present: ((representation: object) => object) | undefined
  /** Changed bodies, by the schema of the first version. */
  readonly bodies: ReadonlyMap<TObject, VersionedBody>
}

/** Applies the changes of each version, up to this one, to the first. */
function shapeIn(version: number, { schema, versions = {} }: VersionedDefinition): VersionShape {
  const first: VersionShape = { schema, present: undefined, bodies: new Map() }
  return Object.entries(versions)
    .map(([number, change]) => ({ number: Number(number), change }))
    .filter(({ number }) => number <= version)
    .sort((one, other) => one.number - other.number)
    .reduce((before, { change }) => applyChange(before, change), first)
}

function applyChange(
  before: VersionShape,
  { schema, present, bodies }: VersionChange,
): VersionShape {
  const earlier = before.present
  const allBodies = new Map(before.bodies)
  for (const [body, { schema: bodySchema, convertBody }] of bodies ?? []) {
    const previous = before.bodies.get(body)
    const acceptAll = previous
      ? (sent: unknown) => previous.convertBody(convertBody(sent))
      : convertBody
    allBodies.set(body, { schema: bodySchema, convertBody: acceptAll })
  }
  return {
    schema: schema ?? before.schema,
    present: present && earlier ? (entity) => present(earlier(entity)) : (present ?? earlier),
    bodies: allBodies,
  }
}

/** Replaces every amount in a schema by an object of a decimal string and its currency. */
const withAmounts = <S extends TSchema>(schema: S): S => replaceAmounts(schema) as S

function replaceAmounts(schema: Schema): Schema {
  const { logical, properties, items, anyOf, additionalProperties } = schema
  if (logical === 'money') return moneyObject(schema)
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, replaceAmounts) }),
    ...(items && { items: replaceAmounts(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: replaceAmounts(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(replaceAmounts) }),
  }
}

const mapValues = <V>(values: Readonly<Record<string, V>>, map: (value: V) => V) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
