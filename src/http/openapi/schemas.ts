import type { TObject, TSchema } from 'typebox'
import { type Direction, type Json, wireSchema, wrapped } from '#http/codec/wire-schema.ts'
import { rootOf } from '#http/codec/xml/documents.ts'
import { singularOf as entryName, pluralOf } from '#http/codec/xml/names.ts'
import { thingNamed, thingsOf } from '#http/declare/entities.ts'
import type { Route } from '#http/declare/operation.ts'
import {
  type AnyThing,
  type Embed,
  type Include,
  type Link,
  type Supplement,
  singularOf,
} from '#http/declare/resource.ts'
import { LinkShape, targetOf } from '#http/response/links.ts'
import { vendorTypesOf } from '#http/response/media-type.ts'
import { Pagination } from '#http/response/pages.ts'
import type { Dress } from '#http/response/representation.ts'

/** The schemas of a document: one for each thing, and one for each body that is sent. */
export interface Schemas {
  readonly components: Readonly<Record<string, Json>>
  /** The place of the schema of a thing. */
  readonly thing: (thing: AnyThing) => Json
  /** The place of the schema of a page of things. */
  readonly page: (thing: AnyThing) => Json
  /** The place of the schema of a body. */
  readonly body: (schema: TObject) => Json
  /** The media types that name the version told, beside a plain one. */
  readonly vendorTypes: (type: string) => readonly string[]
  /** The form that a value has outside. */
  readonly wire: (schema: TSchema, direction: Direction) => Json
}

/** The place of a component. */
export const refer = (section: string, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
})

/** Turns `cart_item` into `CartItem`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())

/** Collects the schemas of routes; throws a TypeError where two would have one name. */
export function collectSchemas(routes: readonly Route[], dress: Dress): Schemas {
  const wire: Schemas['wire'] = (schema, direction) => wireSchema(schema, direction, dress)
  const things = thingsOf(routes)
  // What lives in two places under one name is one thing.
  const nameOf = (thing: AnyThing): string =>
    pascal(things.has(singularOf(thing)) ? singularOf(thing) : thing.name)
  const place = (thing: AnyThing): Json => refer('schemas', nameOf(thing))
  const named = [...things.values()].filter((thing) => nameOf(thing) === pascal(thing.name))
  const told = (thing: AnyThing): Json => {
    const relatedTo = (name: string) => thingNamed(things, name, thing)
    const surroundings = { routes, linksField: dress.linksField, relatedTo, place }
    return thingSchema(thing, wire(thing.schema, 'told'), surroundings)
  }
  const bodies = nameBodies(routes, nameOf)
  const entries: readonly (readonly [string, Json])[] = [
    ...named.map((thing) => [nameOf(thing), told(thing)] as const),
    ...[...bodies].map(
      ([schema, { name, description, root }]) =>
        [name, { description, ...wire(schema, 'sent'), xml: { name: root } }] as const,
    ),
    ...pagedIn(routes).map(
      (thing) => [`${nameOf(thing)}Page`, pageOf(thing, place(thing))] as const,
    ),
    ...supplementsOf(named).map(
      ({ name, description, schema }) =>
        [pascal(name), { description, ...wire(schema, 'told') }] as const,
    ),
    ['Link', linkInXml(wire(LinkShape, 'told'))],
    ['Pagination', wire(Pagination, 'told')],
  ]
  const components = Object.fromEntries(entries)
  const twice = entries.find(([name, schema]) => components[name] !== schema)
  if (twice) throw new TypeError(`Two schemas are named ${twice[0]}`)
  return {
    components,
    thing: place,
    page: (thing) => refer('schemas', `${nameOf(thing)}Page`),
    body: (schema) => refer('schemas', bodies.get(schema)?.name ?? ''),
    vendorTypes: (type) => vendorTypesOf(type, dress.version),
    wire,
  }
}

interface Surroundings {
  readonly routes: readonly Route[]
  readonly linksField: string
  /** The thing of a name that the thing told is related to. */
  readonly relatedTo: (name: string) => AnyThing
  readonly place: (thing: AnyThing) => Json
}

/** A thing as it is told: its own fields, what is embedded, and its links. */
function thingSchema(thing: AnyThing, own: Json, surroundings: Surroundings): Json {
  const { routes, linksField } = surroundings
  const { properties = {}, required = [] } = own as { properties?: Json; required?: string[] }
  const embeds = embedded(thing, surroundings)
  return {
    type: 'object',
    description: thing.description,
    properties: {
      ...properties,
      ...embeds,
      ...included(thing, surroundings),
      ...supplemented(thing),
      [linksField]: linksSchema(thing, routes),
    },
    required: [...required, ...Object.keys(embeds), linksField],
    xml: { name: singularOf(thing) },
  }
}

/** The things that come in pages, each name once. */
const pagedIn = (routes: readonly Route[]): readonly AnyThing[] => {
  const paged = routes.flatMap(({ verb, noun }) =>
    verb === 'list' && noun.kind === 'collection' ? [noun.item] : [],
  )
  return [...new Map(paged.map((thing) => [singularOf(thing), thing])).values()]
}

const pageOf = (thing: AnyThing, place: Json): Json => ({
  type: 'object',
  description: 'A page of a collection.',
  properties: {
    data: wrapped(
      { type: 'array', description: 'The entries of this page.' },
      place,
      singularOf(thing),
    ),
    pagination: refer('schemas', 'Pagination'),
  },
  required: ['data', 'pagination'],
  xml: { name: pluralOf(singularOf(thing)) },
})

/** In XML, the name of a link is an attribute as well, which a member's name cannot be told to be. */
function linkInXml(link: Json): Json {
  const { properties } = link as { properties: Readonly<Record<string, Json>> }
  const { href, method, ...rest } = properties
  const xml = { attribute: true }
  const told = { href: { ...href, xml }, method: { ...method, xml }, ...rest }
  return { ...link, properties: told, xml: { name: 'link' } }
}

const listOf = (name: string, description: string, of: AnyThing, { place }: Surroundings): Json =>
  wrapped({ type: 'array', description }, place(of), entryName(name, singularOf(of)))

const embedded = (thing: AnyThing, surroundings: Surroundings): Json =>
  Object.fromEntries(
    Object.entries((thing.embeds ?? {}) as Record<string, Embed<unknown>>).map(
      ([name, { noun }]) => [
        name,
        listOf(name, 'Always embedded.', surroundings.relatedTo(noun), surroundings),
      ],
    ),
  )

const included = (thing: AnyThing, surroundings: Surroundings): Json =>
  Object.fromEntries(
    Object.entries((thing.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, { noun, many }]) => {
        const description = 'Embedded where `include` asks for it.'
        const related = surroundings.relatedTo(noun)
        const one = { description, anyOf: [surroundings.place(related), { type: 'null' }] }
        return [name, many ? listOf(name, description, related, surroundings) : one]
      },
    ),
  )

/** What is told beside things, each once. */
const supplementsOf = (things: readonly AnyThing[]): readonly Supplement<unknown>[] => [
  ...new Set(
    things.flatMap(({ supplements = {} }) =>
      Object.values(supplements as Record<string, Supplement<unknown>>),
    ),
  ),
]

const supplemented = ({ supplements = {} }: AnyThing): Json =>
  Object.fromEntries(
    Object.entries(supplements as Record<string, Supplement<unknown>>).map(
      ([name, { name: schema, scopes }]) => {
        const held = scopes.map((scope) => `\`${scope}\``).join(', ')
        const description = `Told where \`include\` asks for it, to who holds ${held}; not stored.`
        return [name, { ...refer('schemas', pascal(schema)), description }]
      },
    ),
  )

function linksSchema(thing: AnyThing, routes: readonly Route[]): Json {
  const link = refer('schemas', 'Link')
  const links = Object.entries((thing.links ?? {}) as Record<string, Link<unknown>>).map(
    ([rel, target]) => [
      rel,
      { ...link, description: targetOf(thing, rel, target, routes).summary },
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
    required: thing.links?.['self'] === undefined ? ['self'] : [],
  }
}

interface NamedBody {
  readonly name: string
  readonly description: string
  /** The root element of its XML. */
  readonly root: string
}

/** Names and describes bodies by what is done with them; one that creates and replaces is one. */
function nameBodies(routes: readonly Route[], nameOf: (thing: AnyThing) => string) {
  const names = new Map<TObject, NamedBody>()
  const taken = new Set<string>()
  const withBody = routes.filter(({ body }) => body)
  for (const [schema, group] of Map.groupBy(withBody, ({ body }) => body as TObject)) {
    const [first] = group
    if (!first || first.noun.kind === 'document') continue
    const thing = nameOf(first.noun.kind === 'collection' ? first.noun.item : first.noun)
    const [root = '', ...others] = new Set(group.map(rootOf))
    if (others.length > 0) throw new TypeError(`A body of ${thing} has several roots`)
    const verbs = new Set(group.map(({ verb }) => verb))
    const isPatch = verbs.size === 1 && verbs.has('modify')
    const isNew = verbs.size === 1 && verbs.has('create')
    const description = [...new Set(group.map(({ summary }) => summary))].join(' ')
    const nameFor = (subject: string): string =>
      isPatch ? `${subject}Patch` : isNew ? `New${subject}` : `${subject}Body`
    // What is created in two ways is named by the place of the second.
    const name = [thing, pascal(first.noun.name)].map(nameFor).find((each) => !taken.has(each))
    if (name === undefined) throw new TypeError(`No name is left for a body of ${thing}`)
    taken.add(name)
    names.set(schema, { name, description, root })
  }
  return names
}
