import type { TObject } from 'typebox'
import type { Json } from '#http/codec/wire-schema.ts'
import { type AnyEntityDefinition, definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { xmlRootName } from '#http/response/xml-documents.ts'
import type { Keywords } from '#schema/keywords.ts'
import { toPascalCase } from './names.ts'

interface NamedBody {
  readonly name: string
  /** The name of the root element in XML. */
  readonly root: string
  /** The names of the bodies of the same entity that may describe its fields. */
  readonly explainedIn: readonly string[]
}

/** Names request bodies by their resource and operations; a shared schema is one component. */
export function nameBodies(
  routes: readonly Route[],
  nameOf: (definition: AnyEntityDefinition) => string,
): ReadonlyMap<TObject, NamedBody> {
  const names = new Map<TObject, NamedBody>()
  const taken = new Set<string>()
  const withBody = routes.filter(({ body }) => body)
  for (const [schema, group] of Map.groupBy(withBody, ({ body }) => body as TObject)) {
    const [first] = group
    if (!first || first.resource.kind === 'document') continue
    const definition = nameOf(definitionOf(first.resource))
    const [root = '', ...others] = new Set(group.map(xmlRootName))
    if (others.length > 0)
      throw new TypeError(`A body of ${definition} has several XML root elements`)
    const operationKinds = new Set(group.map(({ kind }) => kind))
    const isPatch = operationKinds.size === 1 && operationKinds.has('modify')
    const isNew = operationKinds.size === 1 && operationKinds.has('create')
    const nameFor = (subject: string): string =>
      isPatch ? `${subject}Patch` : isNew ? `New${subject}` : `${subject}Body`
    // A second body of the same entity is named by its resource, or by itself.
    const { component } = schema as Keywords
    const name = [definition, toPascalCase(first.resource.name)]
      .map((subject) => (typeof component === 'string' ? component : nameFor(subject)))
      .find((candidate) => !taken.has(candidate))
    if (name === undefined) throw new TypeError(`A body of ${definition} has no unique name`)
    taken.add(name)
    const explainedIn = name === component ? [`${definition}Body`] : newOf(name)
    names.set(schema, { name, root, explainedIn })
  }
  return names
}

/**
 * Returns the schemas of request bodies by their names. The fields of a merge patch are explained by
 * the full body of the same resource. Each has one example, made of those of its fields.
 */
export function bodySchemas(
  bodies: ReadonlyMap<TObject, NamedBody>,
  wire: (schema: TObject) => Json,
  components: Json,
): ReadonlyMap<string, Json> {
  const schemas = new Map<string, Json>(
    [...bodies].map(([schema, { name, root }]) => [name, { ...wire(schema), xml: { name: root } }]),
  )
  for (const [name, schema] of schemas) {
    const example = exampleOf(schema, components)
    if (example === undefined) continue
    // The example of the whole has them.
    const properties = mapProperties(schema, ({ examples: _, ...rest }) => rest)
    schemas.set(name, { ...schema, properties, example })
  }
  for (const [name, schema] of schemas) {
    const full = name.replace(/Patch$/, 'Body')
    const explained = name === full ? undefined : schemas.get(full)
    if (explained) schemas.set(name, explainedBy(full, explained, schema))
  }
  for (const { name, explainedIn } of bodies.values()) {
    const schema = schemas.get(name)
    if (schema?.['properties'])
      schemas.set(name, withoutRepeatedNotes(schema, explainedIn, schemas))
  }
  return schemas
}

/** Returns the name of the body of POST, where PUT has another one. */
const newOf = (name: string): readonly string[] =>
  name.endsWith('Body') ? [`New${name.replace(/Body$/, '')}`] : []

/** Drops the descriptions of the properties of an entity that a body of it has, too. */
export const omitRepeatedDescriptions = (
  name: string,
  schema: Json,
  bodies: ReadonlyMap<string, Json>,
): Json => withoutRepeatedNotes(schema, [`New${name}`, `${name}Body`], bodies)

/** Drops the descriptions that properties of these other schemas begin with, and the examples; names the schemas. */
function withoutRepeatedNotes(
  schema: Json,
  others: readonly string[],
  schemas: ReadonlyMap<string, Json>,
): Json {
  const used = new Set<string>()
  const properties = mapProperties(schema, (property, field) => {
    const { description, examples: _, ...rest } = property
    const explaining = others.find((name) => {
      const { [field]: other } = (schemas.get(name)?.['properties'] ?? {}) as Record<string, Json>
      return description !== undefined && startsWith(other?.['description'], description)
    })
    if (explaining === undefined) return property
    used.add(`\`${explaining}\``)
    return rest
  })
  if (used.size === 0) return schema
  const sentence = `Other fields are described in ${[...used].join(' and ')}.`
  const description = [schema['description'] ?? [], sentence].flat().join(' ')
  return { ...schema, description, properties }
}

/** A default follows the description in a body alone. */
const startsWith = (text: unknown, beginning: unknown): boolean =>
  String(text ?? '').startsWith(String(beginning))

const mapProperties = (schema: Json, map: (property: Json, name: string) => Json): Json =>
  Object.fromEntries(
    Object.entries(schema['properties'] as Record<string, Json>).map(([name, property]) => [
      name,
      map(property, name),
    ]),
  )

/** Composes an example of a body of those of its fields; undefined if a required one has none. */
function exampleOf(schema: Json, components: Json): Json | undefined {
  const { properties = {}, required = [] } = schema
  const needed = required as readonly string[]
  const fields = Object.entries(properties as Record<string, Json>).flatMap(([name, property]) => {
    const example = exampleValue(property, components, needed.includes(name))
    return example === undefined ? [] : [[name, example] as const]
  })
  const example = Object.fromEntries(fields)
  const isWhole = needed.every((name) => name in example)
  return isWhole && fields.length > 0 ? example : undefined
}

/**
 * Returns the example of a value; that of an object, enum or component that is no text only if it
 * `isNeeded`.
 */
function exampleValue(schema: Json, components: Json, isNeeded: boolean): unknown {
  const { $ref, examples, enum: words, properties, const: only, anyOf = [] } = schema
  if (typeof $ref === 'string') {
    const shared = components[$ref.split('/').at(-1) ?? ''] as Json
    const isWanted = isNeeded || shared['type'] === 'string'
    return isWanted ? exampleValue(shared, components, isNeeded) : undefined
  }
  const [nullable] = (anyOf as readonly Json[]).filter(({ type }) => type !== 'null')
  if (nullable && !examples) return exampleValue(nullable, components, isNeeded)
  const [example = only] = (examples ?? []) as readonly unknown[]
  if (example !== undefined || !isNeeded) return example
  if (properties !== undefined) return exampleOf(schema, components)
  return (words as readonly unknown[] | undefined)?.[0]
}

/** Drops the notes of the properties that the full body has too. */
function explainedBy(name: string, full: Json, patch: Json): Json {
  const known = full['properties'] as Json
  const properties = mapProperties(patch, (property, field) => {
    const { description, examples, ...rest } = property
    return field in known ? rest : property
  })
  return {
    description: `The fields of \`${name}\`; an absent one stays as it is (RFC 7396).`,
    ...patch,
    properties,
  }
}
