import type { TObject, TSchema } from 'typebox'
import { type Direction, type Json, wireSchema, xmlWrappedArray } from '#http/codec/wire-schema.ts'
import { xmlRootName } from '#http/codec/xml/documents.ts'
import { entryNameOf, pluralOf } from '#http/codec/xml/names.ts'
import { entityDefinitionNamed, entityDefinitionsOf } from '#http/declare/entities.ts'
import {
  type AnyEntityDefinition,
  type ComputedInclude,
  definitionOf,
  type Embed,
  entityNameOf,
  type Include,
  type Link,
} from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { findLinkTarget, LinkRepresentation } from '#http/response/links.ts'
import { vendorTypesOf } from '#http/response/media-type.ts'
import { Pagination } from '#http/response/pages.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import { type Components, reference } from './components.ts'

/** The component schemas of a document. */
export interface Schemas {
  /** Returns the name of the schema of an entity. */
  readonly nameOf: (definition: AnyEntityDefinition) => string
  /** Returns a reference to the schema of an entity. */
  readonly definition: (definition: AnyEntityDefinition) => Json
  /** Returns a reference to the schema of a page of entities. */
  readonly page: (definition: AnyEntityDefinition) => Json
  /** Returns a reference to the schema of a request body. */
  readonly body: (schema: TObject) => Json
  /** Returns the media types that name the API version, in the format of a plain one. */
  readonly vendorTypes: (type: string) => readonly string[]
  /** Returns the schema of the API form of a value. */
  readonly wire: (schema: TSchema, direction: Direction) => Json
}

/** Turns `cart_item` into `CartItem`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())

/** Adds the schemas of routes to the components. Throws a TypeError for a duplicate name. */
export function collectSchemas(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
  components: Components,
): Schemas {
  // A shared schema differs between requests and responses by additionalProperties.
  const wire: Schemas['wire'] = (schema, direction) =>
    wireSchema(schema, direction, representationOptions, (name, nested) =>
      components.share('schemas', nested, name, `${name}Body`),
    )
  const definitions = entityDefinitionsOf(routes)
  // Resources with the same singular name have the same representation.
  const nameOf = (definition: AnyEntityDefinition): string =>
    toPascalCase(
      definitions.has(entityNameOf(definition)) ? entityNameOf(definition) : definition.name,
    )
  const referenceTo = (definition: AnyEntityDefinition): Json =>
    reference('schemas', nameOf(definition))
  const named = [...definitions.values()].filter(
    (definition) => nameOf(definition) === toPascalCase(definition.name),
  )
  const bodies = nameBodies(routes, nameOf)
  const add = (name: string, schema: Json) => components.add('schemas', name, schema)
  for (const definition of named) {
    const relatedTo = (name: string) => entityDefinitionNamed(definitions, name, definition)
    const { linksField } = representationOptions
    const context = { routes, linksField, relatedTo, referenceTo }
    add(nameOf(definition), entitySchema(definition, wire(definition.schema, 'response'), context))
  }
  for (const [schema, { name, description, root }] of bodies) {
    add(name, { description, ...wire(schema, 'request'), xml: { name: root } })
  }
  for (const definition of listedIn(routes)) {
    add(`${nameOf(definition)}Page`, pageSchema(definition, referenceTo(definition)))
  }
  for (const { name, description, schema } of computedIncludesOf(named)) {
    add(toPascalCase(name), { description, ...wire(schema, 'response') })
  }
  add('Link', linkSchema(wire(LinkRepresentation, 'response')))
  add('Pagination', wire(Pagination, 'response'))
  return {
    nameOf,
    definition: referenceTo,
    page: (definition) => reference('schemas', `${nameOf(definition)}Page`),
    body: (schema) => reference('schemas', bodies.get(schema)?.name ?? ''),
    vendorTypes: (type) => vendorTypesOf(type, representationOptions.version),
    wire,
  }
}

interface SchemaContext {
  readonly routes: readonly Route[]
  readonly linksField: string
  /** Returns the related definition of a name. */
  readonly relatedTo: (name: string) => AnyEntityDefinition
  readonly referenceTo: (definition: AnyEntityDefinition) => Json
}

/** Returns the schema of an entity with its embeds, includes and links. */
function entitySchema(definition: AnyEntityDefinition, base: Json, context: SchemaContext): Json {
  const { routes, linksField } = context
  const { properties = {}, required = [] } = base as { properties?: Json; required?: string[] }
  const embeds = embedProperties(definition, context)
  return {
    type: 'object',
    description: definition.description,
    properties: {
      ...properties,
      ...embeds,
      ...includeProperties(definition, context),
      ...computedIncludeProperties(definition),
      [linksField]: linksSchema(definition, routes),
    },
    required: [...required, ...Object.keys(embeds), linksField],
    xml: { name: entityNameOf(definition) },
  }
}

const listedIn = (routes: readonly Route[]): readonly AnyEntityDefinition[] => {
  const listed = routes.flatMap(({ kind, resource }) =>
    kind === 'list' && resource.kind === 'collection' ? [resource.item] : [],
  )
  return [...new Map(listed.map((definition) => [entityNameOf(definition), definition])).values()]
}

const pageSchema = (definition: AnyEntityDefinition, entity: Json): Json => ({
  type: 'object',
  description: 'A page of a collection.',
  properties: {
    data: xmlWrappedArray(
      { type: 'array', description: 'The entries of this page.' },
      entity,
      entityNameOf(definition),
    ),
    pagination: reference('schemas', 'Pagination'),
  },
  required: ['data', 'pagination'],
  xml: { name: pluralOf(entityNameOf(definition)) },
})

/** Adds the XML form. OpenAPI cannot express that the attribute `rel` is the name of the member. */
function linkSchema(link: Json): Json {
  const { properties } = link as { properties: Readonly<Record<string, Json>> }
  const { href, method, ...rest } = properties
  const xml = { attribute: true }
  return {
    ...link,
    properties: { href: { ...href, xml }, method: { ...method, xml }, ...rest },
    xml: { name: 'link' },
  }
}

const arrayOf = (
  name: string,
  description: string,
  definition: AnyEntityDefinition,
  { referenceTo }: SchemaContext,
): Json =>
  xmlWrappedArray(
    { type: 'array', description },
    referenceTo(definition),
    entryNameOf(name, entityNameOf(definition)),
  )

const embedProperties = (definition: AnyEntityDefinition, context: SchemaContext): Json =>
  Object.fromEntries(
    Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>).map(
      ([name, { resource }]) => [
        name,
        arrayOf(name, 'Always embedded.', context.relatedTo(resource), context),
      ],
    ),
  )

const includeProperties = (definition: AnyEntityDefinition, context: SchemaContext): Json =>
  Object.fromEntries(
    Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, { resource, many }]) => {
        const description = 'Embedded if requested by `include`.'
        const related = context.relatedTo(resource)
        const one = { description, anyOf: [context.referenceTo(related), { type: 'null' }] }
        return [name, many ? arrayOf(name, description, related, context) : one]
      },
    ),
  )

const computedIncludesOf = (
  definitions: readonly AnyEntityDefinition[],
): readonly ComputedInclude<unknown>[] => [
  ...new Set(
    definitions.flatMap(({ computedIncludes = {} }) =>
      Object.values(computedIncludes as Record<string, ComputedInclude<unknown>>),
    ),
  ),
]

const computedIncludeProperties = ({ computedIncludes = {} }: AnyEntityDefinition): Json =>
  Object.fromEntries(
    Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>).map(
      ([name, { name: schema, scopes }]) => {
        const required = scopes.map((scope) => `\`${scope}\``).join(', ')
        const description = `Embedded if requested by \`include\`; needs ${required}. The response is not cached.`
        return [name, { ...reference('schemas', toPascalCase(schema)), description }]
      },
    ),
  )

function linksSchema(definition: AnyEntityDefinition, routes: readonly Route[]): Json {
  const link = reference('schemas', 'Link')
  const links = Object.entries((definition.links ?? {}) as Record<string, Link<unknown>>).map(
    ([rel, target]) => [
      rel,
      { ...link, description: findLinkTarget(definition, rel, target, routes).summary },
    ],
  )
  return {
    type: 'object',
    description:
      'The links that the caller may follow in the current state of the resource; in XML, a `<link rel="…">` for each.',
    xml: { name: 'links' },
    properties: {
      self: { ...link, description: 'This resource.' },
      ...Object.fromEntries(links),
    },
    required: definition.links?.['self'] === undefined ? ['self'] : [],
  }
}

interface NamedBody {
  readonly name: string
  readonly description: string
  /** The name of the root element in XML. */
  readonly root: string
}

/** Names request bodies by their resource and operations; a shared schema is one component. */
function nameBodies(routes: readonly Route[], nameOf: (definition: AnyEntityDefinition) => string) {
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
    const description = [...new Set(group.map(({ summary }) => summary))].join(' ')
    const nameFor = (subject: string): string =>
      isPatch ? `${subject}Patch` : isNew ? `New${subject}` : `${subject}Body`
    // A second body of the same entity is named by its resource.
    const name = [definition, toPascalCase(first.resource.name)]
      .map(nameFor)
      .find((candidate) => !taken.has(candidate))
    if (name === undefined) throw new TypeError(`A body of ${definition} has no unique name`)
    taken.add(name)
    names.set(schema, { name, description, root })
  }
  return names
}
