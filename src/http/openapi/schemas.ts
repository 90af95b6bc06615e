import type { TObject, TSchema } from 'typebox'
import { type Direction, type Json, wireSchema, wrapped } from '#http/codec/wire-schema.ts'
import { rootOf } from '#http/codec/xml/documents.ts'
import { singularOf as entryName, pluralOf } from '#http/codec/xml/names.ts'
import { entityDefinitionNamed, entityDefinitionsOf } from '#http/declare/entities.ts'
import {
  type AnyEntityDefinition,
  type ComputedInclude,
  type Embed,
  type Include,
  type Link,
  singularOf,
} from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { LinkShape, targetOf } from '#http/response/links.ts'
import { vendorTypesOf } from '#http/response/media-type.ts'
import { Pagination } from '#http/response/pages.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import { type Components, refer } from './components.ts'

/** The schemas of a document: one for each thing, and one for each body that is sent. */
export interface Schemas {
  /** The name of the schema of a thing. */
  readonly nameOf: (definition: AnyEntityDefinition) => string
  /** The place of the schema of a thing. */
  readonly definition: (definition: AnyEntityDefinition) => Json
  /** The place of the schema of a page of things. */
  readonly page: (definition: AnyEntityDefinition) => Json
  /** The place of the schema of a body. */
  readonly body: (schema: TObject) => Json
  /** The media types that name the version told, beside a plain one. */
  readonly vendorTypes: (type: string) => readonly string[]
  /** The form that a value has outside. */
  readonly wire: (schema: TSchema, direction: Direction) => Json
}

/** Turns `cart_item` into `CartItem`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())

/** Adds the schemas of routes to the components; throws a TypeError where two would have one name. */
export function collectSchemas(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
  components: Components,
): Schemas {
  // A shape that is told and sent is closed where it is sent, and then another schema.
  const wire: Schemas['wire'] = (schema, direction) =>
    wireSchema(schema, direction, representationOptions, (name, inside) =>
      components.share('schemas', inside, name, `${name}Body`),
    )
  const definitions = entityDefinitionsOf(routes)
  // What lives in two places under one name is one thing.
  const nameOf = (definition: AnyEntityDefinition): string =>
    pascal(definitions.has(singularOf(definition)) ? singularOf(definition) : definition.name)
  const place = (definition: AnyEntityDefinition): Json => refer('schemas', nameOf(definition))
  const named = [...definitions.values()].filter(
    (definition) => nameOf(definition) === pascal(definition.name),
  )
  const bodies = nameBodies(routes, nameOf)
  const add = (name: string, schema: Json) => components.add('schemas', name, schema)
  for (const definition of named) {
    const relatedTo = (name: string) => entityDefinitionNamed(definitions, name, definition)
    const surroundings = { routes, linksField: representationOptions.linksField, relatedTo, place }
    add(nameOf(definition), entitySchema(definition, wire(definition.schema, 'told'), surroundings))
  }
  for (const [schema, { name, description, root }] of bodies) {
    add(name, { description, ...wire(schema, 'sent'), xml: { name: root } })
  }
  for (const definition of pagedIn(routes))
    add(`${nameOf(definition)}Page`, pageOf(definition, place(definition)))
  for (const { name, description, schema } of computedIncludesOf(named)) {
    add(pascal(name), { description, ...wire(schema, 'told') })
  }
  add('Link', linkInXml(wire(LinkShape, 'told')))
  add('Pagination', wire(Pagination, 'told'))
  return {
    nameOf,
    definition: place,
    page: (definition) => refer('schemas', `${nameOf(definition)}Page`),
    body: (schema) => refer('schemas', bodies.get(schema)?.name ?? ''),
    vendorTypes: (type) => vendorTypesOf(type, representationOptions.version),
    wire,
  }
}

interface Surroundings {
  readonly routes: readonly Route[]
  readonly linksField: string
  /** The thing of a name that the thing told is related to. */
  readonly relatedTo: (name: string) => AnyEntityDefinition
  readonly place: (definition: AnyEntityDefinition) => Json
}

/** A thing as it is told: its own fields, what is embedded, and its links. */
function entitySchema(
  definition: AnyEntityDefinition,
  own: Json,
  surroundings: Surroundings,
): Json {
  const { routes, linksField } = surroundings
  const { properties = {}, required = [] } = own as { properties?: Json; required?: string[] }
  const embeds = embedded(definition, surroundings)
  return {
    type: 'object',
    description: definition.description,
    properties: {
      ...properties,
      ...embeds,
      ...included(definition, surroundings),
      ...withComputedIncludes(definition),
      [linksField]: linksSchema(definition, routes),
    },
    required: [...required, ...Object.keys(embeds), linksField],
    xml: { name: singularOf(definition) },
  }
}

/** The things that come in pages, each name once. */
const pagedIn = (routes: readonly Route[]): readonly AnyEntityDefinition[] => {
  const paged = routes.flatMap(({ kind, resource }) =>
    kind === 'list' && resource.kind === 'collection' ? [resource.item] : [],
  )
  return [...new Map(paged.map((definition) => [singularOf(definition), definition])).values()]
}

const pageOf = (definition: AnyEntityDefinition, place: Json): Json => ({
  type: 'object',
  description: 'A page of a collection.',
  properties: {
    data: wrapped(
      { type: 'array', description: 'The entries of this page.' },
      place,
      singularOf(definition),
    ),
    pagination: refer('schemas', 'Pagination'),
  },
  required: ['data', 'pagination'],
  xml: { name: pluralOf(singularOf(definition)) },
})

/** In XML, the name of a link is an attribute as well, which a member's name cannot be told to be. */
function linkInXml(link: Json): Json {
  const { properties } = link as { properties: Readonly<Record<string, Json>> }
  const { href, method, ...rest } = properties
  const xml = { attribute: true }
  const told = { href: { ...href, xml }, method: { ...method, xml }, ...rest }
  return { ...link, properties: told, xml: { name: 'link' } }
}

const listOf = (
  name: string,
  description: string,
  of: AnyEntityDefinition,
  { place }: Surroundings,
): Json => wrapped({ type: 'array', description }, place(of), entryName(name, singularOf(of)))

const embedded = (definition: AnyEntityDefinition, surroundings: Surroundings): Json =>
  Object.fromEntries(
    Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>).map(
      ([name, { resource }]) => [
        name,
        listOf(name, 'Always embedded.', surroundings.relatedTo(resource), surroundings),
      ],
    ),
  )

const included = (definition: AnyEntityDefinition, surroundings: Surroundings): Json =>
  Object.fromEntries(
    Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, { resource, many }]) => {
        const description = 'Embedded where `include` asks for it.'
        const related = surroundings.relatedTo(resource)
        const one = { description, anyOf: [surroundings.place(related), { type: 'null' }] }
        return [name, many ? listOf(name, description, related, surroundings) : one]
      },
    ),
  )

/** What is told beside things, each once. */
const computedIncludesOf = (
  definitions: readonly AnyEntityDefinition[],
): readonly ComputedInclude<unknown>[] => [
  ...new Set(
    definitions.flatMap(({ computedIncludes = {} }) =>
      Object.values(computedIncludes as Record<string, ComputedInclude<unknown>>),
    ),
  ),
]

const withComputedIncludes = ({ computedIncludes = {} }: AnyEntityDefinition): Json =>
  Object.fromEntries(
    Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>).map(
      ([name, { name: schema, scopes }]) => {
        const held = scopes.map((scope) => `\`${scope}\``).join(', ')
        const description = `Told where \`include\` asks for it, to who holds ${held}; not stored.`
        return [name, { ...refer('schemas', pascal(schema)), description }]
      },
    ),
  )

function linksSchema(definition: AnyEntityDefinition, routes: readonly Route[]): Json {
  const link = refer('schemas', 'Link')
  const links = Object.entries((definition.links ?? {}) as Record<string, Link<unknown>>).map(
    ([rel, target]) => [
      rel,
      { ...link, description: targetOf(definition, rel, target, routes).summary },
    ],
  )
  return {
    type: 'object',
    description:
      'Where the caller may go from here, in this state of the resource; in XML, one `<link rel="…">` each.',
    xml: { name: 'links' },
    properties: {
      self: { ...link, description: 'The resource itself.' },
      ...Object.fromEntries(links),
    },
    required: definition.links?.['self'] === undefined ? ['self'] : [],
  }
}

interface NamedBody {
  readonly name: string
  readonly description: string
  /** The root element of its XML. */
  readonly root: string
}

/** Names and describes bodies by what is done with them; one that creates and replaces is one. */
function nameBodies(routes: readonly Route[], nameOf: (definition: AnyEntityDefinition) => string) {
  const names = new Map<TObject, NamedBody>()
  const taken = new Set<string>()
  const withBody = routes.filter(({ body }) => body)
  for (const [schema, group] of Map.groupBy(withBody, ({ body }) => body as TObject)) {
    const [first] = group
    if (!first || first.resource.kind === 'document') continue
    const definition = nameOf(
      first.resource.kind === 'collection' ? first.resource.item : first.resource,
    )
    const [root = '', ...others] = new Set(group.map(rootOf))
    if (others.length > 0) throw new TypeError(`A body of ${definition} has several roots`)
    const operationKinds = new Set(group.map(({ kind }) => kind))
    const isPatch = operationKinds.size === 1 && operationKinds.has('modify')
    const isNew = operationKinds.size === 1 && operationKinds.has('create')
    const description = [...new Set(group.map(({ summary }) => summary))].join(' ')
    const nameFor = (subject: string): string =>
      isPatch ? `${subject}Patch` : isNew ? `New${subject}` : `${subject}Body`
    // What is created in two ways is named by the place of the second.
    const name = [definition, pascal(first.resource.name)]
      .map(nameFor)
      .find((each) => !taken.has(each))
    if (name === undefined) throw new TypeError(`No name is left for a body of ${definition}`)
    taken.add(name)
    names.set(schema, { name, description, root })
  }
  return names
}
