import type { Json } from '#http/codec/wire-schema.ts'
import type { ComputedInclude } from '#http/declare/related.ts'
import { type AnyEntityDefinition, entityNameOf } from '#http/declare/resource.ts'
import { reference } from './components.ts'
import { toPascalCase } from './names.ts'

/** Returns the computed includes of all definitions, each once. */
export const computedIncludesOf = (
  definitions: readonly AnyEntityDefinition[],
): readonly ComputedInclude<unknown>[] => [
  ...new Set(
    definitions.flatMap(({ computedIncludes = {} }) =>
      Object.values(computedIncludes as Record<string, ComputedInclude<unknown>>),
    ),
  ),
]

/** Returns the schema of an entity with its computed includes. */
export function withComputedIncludes(definition: AnyEntityDefinition, entity: Json): Json {
  const { computedIncludes } = definition
  if (computedIncludes === undefined) return entity
  const properties = Object.entries(
    computedIncludes as Record<string, ComputedInclude<unknown>>,
  ).map(([name, { name: schema }]) => [name, reference('schemas', toPascalCase(schema))])
  return {
    allOf: [entity, { type: 'object', properties: Object.fromEntries(properties) }],
    xml: { name: entityNameOf(definition) },
  }
}

/**
 * Returns the schema of a computed include. The entries of its lists are explained by resources, and
 * have the types of `named` schemas instead of references to those of plain values.
 */
export function computedIncludeSchema(
  { description, scopes }: ComputedInclude<unknown>,
  schema: Json,
  named: Json,
): Json {
  const required = scopes.map((scope) => `\`${scope}\``).join(', ')
  const { properties = {}, ...rest } = schema as { readonly properties?: Record<string, Json> }
  const brief = Object.entries(properties).map(([name, { items, ...list }]) => [
    name,
    { ...list, ...(items === undefined ? {} : { items: withoutNotes(items as Json, named) }) },
  ])
  return {
    description: `${description} Present with \`include\`; needs ${required}. The response is not cached. The fields of entries are those of the resources.`,
    ...rest,
    properties: Object.fromEntries(brief),
    // Tools would make up an entry of each list.
    examples: [Object.fromEntries(brief.map(([name]) => [name, []]))],
  }
}

/** Returns the types alone: the schema of the resource has the rest. */
function withoutNotes(schema: Json, named: Json): Json {
  const { $ref, type, xml, properties, items, anyOf } = schema
  const plainType = plainTypeOf(schema, named)
  if (plainType !== undefined) return { type: plainType, ...(xml === undefined ? {} : { xml }) }
  const kept = Object.entries({ $ref, type, xml })
  return {
    ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    ...(properties === undefined ? {} : { properties: mapValues(properties as Json, named) }),
    ...(items === undefined ? {} : { items: withoutNotes(items as Json, named) }),
    ...(anyOf === undefined
      ? {}
      : { anyOf: (anyOf as Json[]).map((variant) => withoutNotes(variant, named)) }),
  }
}

/** Returns the type or types of a value that is no object or array; undefined for any other. */
function plainTypeOf({ $ref, type, anyOf }: Json, named: Json): unknown {
  if (typeof $ref === 'string') return plainTypeOf(named[$ref.split('/').at(-1) ?? ''] as Json, {})
  if (anyOf === undefined) return [type].flat().some(isCompound) ? undefined : type
  const types = (anyOf as readonly Json[]).map((variant) => plainTypeOf(variant, named))
  return types.every((each) => typeof each === 'string') ? types : undefined
}

const isCompound = (type: unknown): boolean => type === 'object' || type === 'array'

const mapValues = (properties: Json, named: Json): Json =>
  Object.fromEntries(
    Object.entries(properties as Record<string, Json>).map(([name, property]) => [
      name,
      withoutNotes(property, named),
    ]),
  )
