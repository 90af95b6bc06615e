import type { TObject, TSchema } from 'typebox'
import { type Things, thingNamed, thingsOf } from '#http/declare/entities.ts'
import type { Route } from '#http/declare/operation.ts'
import {
  type AnyThing,
  type Embed,
  type Include,
  type Supplement,
  singularOf,
} from '#http/declare/resource.ts'
import { nullable } from '#http/declare/schema.ts'
import { Type } from '#http/declare/type.ts'
import { Pagination } from '#http/response/pages.ts'
import { pluralOf } from './names.ts'
import { LinksPart } from './shape.ts'
import { compileXmlWriter, type XmlWriter } from './writer.ts'

/** What a route answers with: the schema of the whole body, and the root element of its XML. */
export interface Told {
  readonly root: string
  readonly schema: TObject
}

/** The root element of a resource in XML, in answers and in bodies alike. */
export const rootOf = ({ noun }: Pick<Route, 'noun'>): string => {
  if (noun.kind === 'document') return noun.name
  return singularOf(noun.kind === 'collection' ? noun.item : noun)
}

/**
 * Finds the schema of the whole body that a route answers with, its links, what is embedded and
 * the envelope of a page included; undefined for a route that answers with no resource.
 */
export function tellingOf(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => Told | undefined {
  const things = thingsOf(routes)
  return (route) => {
    const { noun, verb } = route
    if (noun.kind === 'document' || verb === 'remove') return undefined
    const thing: AnyThing = noun.kind === 'collection' ? noun.item : noun
    const root = rootOf(route)
    const schema = withIncludes(thing, things, linksField)
    if (verb !== 'list') return { root, schema }
    const data = Type.Array(schema, { entry: root })
    return { root: pluralOf(root), schema: Type.Object({ data, pagination: Pagination }) }
  }
}

/** Compiles the writers of the XML answers of routes; see `tellingOf`. */
export function compileXmlAnswers(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => XmlWriter | undefined {
  const telling = tellingOf(routes, linksField)
  const written = new Map<Route, XmlWriter>()
  for (const route of routes) {
    const told = telling(route)
    if (told) written.set(route, compileXmlWriter(told.schema, told.root))
  }
  return (route) => written.get(route)
}

function withIncludes(thing: AnyThing, things: Things, linksField: string): TObject {
  const includes = Object.entries((thing.includes ?? {}) as Record<string, Include<unknown>>)
  const members = includes.map(([name, { noun, many }]): [string, TSchema] => {
    const related = thingNamed(things, noun, thing)
    const schema = alone(related, things, linksField)
    return [name, many ? listOf(related, schema) : nullable(schema)]
  })
  const { properties } = alone(thing, things, linksField)
  const supplements = Object.entries(
    (thing.supplements ?? {}) as Record<string, Supplement<unknown>>,
  ).map(([name, supplement]): [string, TSchema] => [name, supplement.schema])
  return Type.Object({ ...properties, ...Object.fromEntries([...members, ...supplements]) })
}

/** What is embedded in something has its own embeds and links, and no includes. */
function alone(thing: AnyThing, things: Things, linksField: string): TObject {
  const embeds = Object.entries((thing.embeds ?? {}) as Record<string, Embed<unknown>>)
  const members = embeds.map(([name, { noun }]): [string, TSchema] => {
    const child = thingNamed(things, noun, thing)
    return [name, listOf(child, alone(child, things, linksField))]
  })
  const { properties } = thing.schema
  return Type.Object({ ...properties, ...Object.fromEntries(members), [linksField]: LinksPart })
}

const listOf = (thing: AnyThing, schema: TSchema): TSchema =>
  Type.Array(schema, { entry: singularOf(thing) })
