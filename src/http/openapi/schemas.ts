import type { TObject, TSchema } from 'typebox'
import { type Direction, type Json, wireSchema, xmlWrappedArray } from '#http/codec/wire-schema.ts'
import { entryNameOf, pluralOf } from '#http/codec/xml/names.ts'
import { entityDefinitionNamed, entityDefinitionsOf } from '#http/declare/entities.ts'
import type { Embed, Include } from '#http/declare/related.ts'
import { type AnyEntityDefinition, definitionOf, entityNameOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { linkSchemaOf, linkSchemas } from '#http/response/links.ts'
import { FeedPagination } from '#http/response/pagination/feed-pages.ts'
import { Pagination } from '#http/response/pagination/list-pages.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import { shapeOf } from '#schema/shape.ts'
import { Id, identifierComponent } from '#schema/words.ts'
import { type Components, reference } from './components.ts'
import {
  computedIncludeSchema,
  computedIncludesOf,
  withComputedIncludes,
} from './computed-includes.ts'
import { schemaNameOf, toPascalCase } from './names.ts'
import { bodySchemas, nameBodies, omitRepeatedDescriptions } from './request-bodies.ts'

/** The component schemas of a document. */
export interface Schemas {
  /** Returns the name of the schema of an entity. */
  readonly nameOf: (definition: AnyEntityDefinition) => string
  /** Returns a reference to the schema of an entity. */
  readonly definition: (definition: AnyEntityDefinition) => Json
  /** Returns the schema of an entity that is read, with what only a read can embed. */
  readonly read: (definition: AnyEntityDefinition) => Json
  /** Returns a reference to the schema of a page of a list or of a feed. */
  readonly page: (definition: AnyEntityDefinition, kind: 'list' | 'follow') => Json
  /** Returns a reference to the schema of a request body. */
  readonly body: (schema: TObject) => Json
  /** Returns the schema of an ID, which is one of `ids` if given. */
  readonly identifier: (ids?: readonly number[]) => Json
  /** Returns the schema of the API form of a value. */
  readonly wire: (schema: TSchema, direction: Direction) => Json
  /** Returns the schema of a query parameter, with its description. */
  readonly parameter: (schema: TSchema) => Json
}

const identifierSchema = Id(identifierComponent.description)

/** Adds the schemas of routes to the components. Throws a TypeError for a duplicate name. */
export function collectSchemas(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
  components: Components,
): Schemas {
  // A shared schema differs between requests and responses by additionalProperties.
  const wire: Schemas['wire'] = (schema, direction) =>
    wireSchema(schema, direction, representationOptions, (name, nested) =>
      components.share('schemas', nested, name, `${name}Input`),
    )
  const definitions = entityDefinitionsOf(routes)
  const nameOf = (definition: AnyEntityDefinition): string => schemaNameOf(definition, definitions)
  const referenceTo = (definition: AnyEntityDefinition): Json =>
    reference('schemas', nameOf(definition))
  const named = [...definitions.values()].filter(
    (definition) => nameOf(definition) === toPascalCase(definition.name),
  )
  const bodies = nameBodies(routes, nameOf)
  const add = (name: string, schema: Json) => components.add('schemas', name, schema)
  const entities = named.map((definition) => {
    const relatedTo = (name: string) => entityDefinitionNamed(definitions, name, definition)
    const { linksField } = representationOptions
    const context = { linksField, relatedTo, referenceTo }
    const base = wire(definition.schema, 'response')
    return [nameOf(definition), entitySchema(definition, base, context)] as const
  })
  const toBody = (schema: TObject) => wire(schema, 'request')
  const described = bodySchemas(bodies, toBody, components.sections.schemas)
  for (const [name, schema] of entities)
    add(name, omitRepeatedDescriptions(name, schema, described))
  for (const [name, schema] of described) add(name, schema)
  for (const [name, schema] of pageSchemas(routes, nameOf, wire)) add(name, schema)
  addComputedIncludes(named, wire, components)
  for (const [name, schema] of linkAndPaginationSchemas(routes, wire)) add(name, schema)
  return {
    nameOf,
    definition: referenceTo,
    read: (definition) => withComputedIncludes(definition, referenceTo(definition)),
    page: (definition, kind) => reference('schemas', nameOf(definition) + pages[kind].suffix),
    body: (schema) => reference('schemas', bodies.get(schema)?.name ?? ''),
    identifier: (ids) =>
      ids === undefined
        ? components.share('schemas', wire(identifierSchema, 'response'), identifierComponent.name)
        : { type: 'integer', enum: ids },
    wire,
    parameter: (schema) => parameterSchema(schema, wire(schema, 'request'), components),
  }
}

function addComputedIncludes(
  definitions: readonly AnyEntityDefinition[],
  wire: Schemas['wire'],
  components: Components,
): void {
  for (const include of computedIncludesOf(definitions)) {
    const schema = wire(include.schema, 'response')
    const described = computedIncludeSchema(include, schema, components.sections.schemas)
    components.add('schemas', toPascalCase(include.name), described)
  }
}

/** The schemas of links and of pagination, by name. */
function linkAndPaginationSchemas(
  routes: readonly Route[],
  wire: Schemas['wire'],
): readonly (readonly [string, Json])[] {
  const hasFeed = routes.some(({ kind }) => kind === 'follow')
  return [
    ...Object.entries(linkSchemas).map(
      ([name, schema]) => [name, linkSchema(wire(schema, 'response'))] as const,
    ),
    ['Pagination', wire(Pagination, 'response')],
    ...(hasFeed ? [['FeedPagination', wire(FeedPagination, 'response')] as const] : []),
  ]
}

/** The schema of a query parameter, without examples: tools would send all of them, and find nothing. */
function parameterSchema(
  schema: TSchema,
  { examples: _, ...wired }: Json,
  components: Components,
): Json {
  return Array.isArray(wired['enum']) ? sharedEnum(schema, wired, components) : wired
}

/** Returns a reference to the component of an enum that fields have too, or the enum itself. */
function sharedEnum(schema: TSchema, wired: Json, { sections }: Components): Json {
  const { component } = shapeOf(schema).schema
  if (typeof component !== 'object' || !(component.name in sections.schemas)) return wired
  return { ...reference('schemas', component.name), description: wired['description'] }
}

interface SchemaContext {
  readonly linksField: string
  /** Returns the related definition of a name. */
  readonly relatedTo: (name: string) => AnyEntityDefinition
  readonly referenceTo: (definition: AnyEntityDefinition) => Json
}

/** Returns the schema of an entity with its embeds, includes and links. */
function entitySchema(definition: AnyEntityDefinition, base: Json, context: SchemaContext): Json {
  const { linksField } = context
  const { properties = {}, required = [] } = base as { properties?: Json; required?: string[] }
  const embeds = embedProperties(definition, context)
  const links = definition.isUnlinked ? {} : { [linksField]: linksSchema(definition) }
  return {
    type: 'object',
    description: definition.description,
    properties: {
      ...properties,
      ...embeds,
      ...includeProperties(definition, context),
      ...links,
    },
    required: [...required, ...Object.keys(embeds), ...Object.keys(links)],
    xml: { name: entityNameOf(definition) },
  }
}

/** The names of the schemas of pages. */
const pages = {
  list: { suffix: 'Page', pagination: 'Pagination' },
  follow: { suffix: 'Feed', pagination: 'FeedPagination' },
} as const

/** Returns the schemas of the pages of lists and feeds, by name. */
const pageSchemas = (
  routes: readonly Route[],
  nameOf: Schemas['nameOf'],
  wire: Schemas['wire'],
): readonly (readonly [name: string, schema: Json])[] =>
  (['list', 'follow'] as const).flatMap((kind) =>
    listedIn(routes, kind).map((definition) => {
      const entity = reference('schemas', nameOf(definition))
      const page = pageSchema(definition, entity, pages[kind].pagination)
      const envelope = envelopeOf(routes, definition)
      const members =
        envelope && (wire(envelope, 'response') as { readonly properties: Json }).properties
      const schema = members ? { ...page, properties: { ...page.properties, ...members } } : page
      return [nameOf(definition) + pages[kind].suffix, schema]
    }),
  )

const listedIn = (
  routes: readonly Route[],
  operationKind: keyof typeof pages,
): readonly AnyEntityDefinition[] => {
  const listed = routes.flatMap(({ kind, resource }) =>
    kind === operationKind && resource.kind === 'collection' ? [resource.item] : [],
  )
  return [...new Map(listed.map((definition) => [entityNameOf(definition), definition])).values()]
}

/** The further members of a page of this entity, which only some lists have. */
const envelopeOf = (
  routes: readonly Route[],
  definition: AnyEntityDefinition,
): TObject | undefined =>
  routes.find(({ envelope, resource }) => envelope && definitionOf(resource) === definition)
    ?.envelope

const pageSchema = (definition: AnyEntityDefinition, entity: Json, pagination: string) => ({
  type: 'object',
  properties: {
    data: { type: 'array', ...entriesOf(entity) },
    pagination: reference('schemas', pagination),
  },
  required: ['data', 'pagination'],
  xml: { name: pluralOf(entityNameOf(definition)) },
})

/** Adds the XML form. OpenAPI cannot express that the attribute `rel` is the name of the member. */
function linkSchema(link: Json): Json {
  const { properties } = link as { properties: Readonly<Record<string, Json>> }
  const xml = { attribute: true }
  const marked = Object.entries(properties).map(([name, schema]) => [
    name,
    name === 'body' ? schema : { ...schema, xml },
  ])
  return {
    ...link,
    properties: Object.fromEntries(marked),
    xml: { name: 'link' },
  }
}

const arrayOf = (
  name: string,
  description: string,
  definition: AnyEntityDefinition,
  { referenceTo }: SchemaContext,
): Json => {
  const entry = entryNameOf(name, entityNameOf(definition))
  const array = { type: 'array', description }
  return entry === entityNameOf(definition)
    ? { ...array, ...entriesOf(referenceTo(definition)) }
    : xmlWrappedArray(array, referenceTo(definition), entry)
}

/** Keywords of an array of entities, whose elements in XML have the name in the schema of the entity. */
const entriesOf = (entity: Json): Json => ({ items: entity, xml: { wrapped: true } })

const embedProperties = (definition: AnyEntityDefinition, context: SchemaContext): Json =>
  Object.fromEntries(
    Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>).map(
      ([name, { resource, many = true }]) => {
        const related = context.relatedTo(resource)
        const schema = many
          ? arrayOf(name, 'Always embedded.', related, context)
          : context.referenceTo(related)
        return [name, schema]
      },
    ),
  )

const includeProperties = (definition: AnyEntityDefinition, context: SchemaContext): Json =>
  Object.fromEntries(
    Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, { resource, many }]) => {
        const description = 'Present with `include`.'
        const related = context.relatedTo(resource)
        const one = { description, anyOf: [context.referenceTo(related), { type: 'null' }] }
        return [name, many ? arrayOf(name, description, related, context) : one]
      },
    ),
  )

/** Returns the schema of the links of an entity; their schemas describe them. */
function linksSchema(definition: AnyEntityDefinition): Json {
  const isOwn = definition.links?.['self'] === undefined
  const links = Object.entries(definition.links ?? {}).map(([rel, link]) => [
    rel,
    reference('schemas', linkSchemaOf(link)),
  ])
  return {
    type: 'object',
    xml: { name: 'links' },
    properties: { self: reference('schemas', 'Link'), ...Object.fromEntries(links) },
    ...(isOwn ? { required: ['self'] } : {}),
  }
}
