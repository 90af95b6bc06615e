import type { TObject, TSchema } from 'typebox'
import { LinkShape, targetOf } from './links.ts'
import { type AnyThing, type Embed, type Include, type Link, singularOf } from './noun.ts'
import { Pagination } from './paging.ts'
import type { Dress } from './present.ts'
import { thingNamed, thingsOf } from './things.ts'
import type { Route } from './verb.ts'
import { type Direction, type Json, wireSchema } from './wire-schema.ts'

/** The schemas of a document: one for each thing, and one for each body that is sent. */
export interface Schemas {
  readonly components: Readonly<Record<string, Json>>
  /** The place of the schema of a thing. */
  readonly thing: (thing: AnyThing) => Json
  /** The place of the schema of a body. */
  readonly body: (schema: TObject) => Json
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
    const placeOf = (name: string) => place(thingNamed(things, name, thing))
    const surroundings = { routes, linksField: dress.linksField, placeOf }
    return thingSchema(thing, wire(thing.schema, 'told'), surroundings)
  }
  const bodies = nameBodies(routes, nameOf)
  const entries: readonly (readonly [string, Json])[] = [
    ...named.map((thing) => [nameOf(thing), told(thing)] as const),
    ...[...bodies].map(
      ([schema, { name, description }]) =>
        [name, { description, ...wire(schema, 'sent') }] as const,
    ),
    ['Link', wire(LinkShape, 'told')],
    ['Pagination', wire(Pagination, 'told')],
  ]
  const components = Object.fromEntries(entries)
  const twice = entries.find(([name, schema]) => components[name] !== schema)
  if (twice) throw new TypeError(`Two schemas are named ${twice[0]}`)
  return {
    components,
    thing: place,
    body: (schema) => refer('schemas', bodies.get(schema)?.name ?? ''),
    wire,
  }
}

interface Surroundings {
  readonly routes: readonly Route[]
  readonly linksField: string
  /** The place of the schema of the thing of a name. */
  readonly placeOf: (name: string) => Json
}

/** A thing as it is told: its own fields, what is embedded, and its links. */
function thingSchema(
  thing: AnyThing,
  own: Json,
  { routes, linksField, placeOf }: Surroundings,
): Json {
  const { properties = {}, required = [] } = own as { properties?: Json; required?: string[] }
  const embeds = embedded(thing, placeOf)
  return {
    type: 'object',
    description: thing.description,
    properties: {
      ...properties,
      ...embeds,
      ...included(thing, placeOf),
      [linksField]: linksSchema(thing, routes),
    },
    required: [...required, ...Object.keys(embeds), linksField],
  }
}

type PlaceOf = Surroundings['placeOf']

const listOf = (items: Json, description: string): Json => ({ type: 'array', description, items })

const embedded = (thing: AnyThing, placeOf: PlaceOf): Json =>
  Object.fromEntries(
    Object.entries((thing.embeds ?? {}) as Record<string, Embed<unknown>>).map(
      ([name, { noun }]) => [name, listOf(placeOf(noun), 'Always embedded.')],
    ),
  )

const included = (thing: AnyThing, placeOf: PlaceOf): Json =>
  Object.fromEntries(
    Object.entries((thing.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, { noun, many }]) => {
        const description = 'Embedded where `include` asks for it.'
        const one = { description, anyOf: [placeOf(noun), { type: 'null' }] }
        return [name, many ? listOf(placeOf(noun), description) : one]
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
    description: 'Where the caller may go from here, in this state of the resource.',
    properties: {
      self: { ...link, description: 'The resource itself.' },
      ...Object.fromEntries(links),
    },
    required: thing.links?.['self'] === undefined ? ['self'] : [],
  }
}

/** Names and describes bodies by what is done with them; one that creates and replaces is one. */
function nameBodies(routes: readonly Route[], nameOf: (thing: AnyThing) => string) {
  const names = new Map<TObject, { readonly name: string; readonly description: string }>()
  const withBody = routes.filter(({ body }) => body)
  for (const [schema, group] of Map.groupBy(withBody, ({ body }) => body as TObject)) {
    const [first] = group
    if (!first || first.noun.kind === 'document') continue
    const thing = nameOf(first.noun.kind === 'collection' ? first.noun.item : first.noun)
    const verbs = new Set(group.map(({ verb }) => verb))
    const isPatch = verbs.size === 1 && verbs.has('modify')
    const isNew = verbs.size === 1 && verbs.has('create')
    const description = [...new Set(group.map(({ summary }) => summary))].join(' ')
    const name = isPatch ? `${thing}Patch` : isNew ? `New${thing}` : `${thing}Body`
    names.set(schema, { name, description })
  }
  return names
}
