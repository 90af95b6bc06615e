import { type TObject, type TSchema, Type } from 'typebox'
import { pluralOf } from '#http/codec/xml/names.ts'
import { LinksSchema } from '#http/codec/xml/shape.ts'
import { compileXmlWriter, type XmlWriter } from '#http/codec/xml/writer.ts'
import {
  type EntityDefinitions,
  entityDefinitionNamed,
  entityDefinitionsOf,
} from '#http/declare/entities.ts'
import type { ComputedInclude, Embed, Include } from '#http/declare/related.ts'
import { type AnyEntityDefinition, definitionOf, entityNameOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { nullable } from '#schema/words.ts'
import { FeedPagination } from './pagination/feed-pages.ts'
import { Pagination } from './pagination/list-pages.ts'

/** The XML form of the response body of a route. */
interface XmlDocument {
  /** The name of the root element. */
  readonly root: string
  /** The schema of the whole body. */
  readonly schema: TObject
}

/** Returns the name of the root element of a resource, in request and response bodies. */
export const xmlRootName = ({ resource }: Pick<Route, 'resource'>): string => {
  if (resource.kind === 'document') return resource.name
  return entityNameOf(definitionOf(resource))
}

/**
 * Returns a function that finds the XML form of the response body of a route, with links, embedded
 * resources and the envelope of a page; undefined for a route whose response contains no resource.
 */
export function xmlDocumentOf(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => XmlDocument | undefined {
  const definitions = entityDefinitionsOf(routes)
  return (route) => {
    const { resource, kind } = route
    if (resource.kind === 'document' || kind === 'remove') return undefined
    const definition = definitionOf(resource)
    const root = xmlRootName(route)
    const schema = withIncludes(definition, definitions, linksField)
    if (kind !== 'list' && kind !== 'follow') return { root, schema }
    const data = Type.Array(schema, { entry: root })
    const pagination = kind === 'list' ? Pagination : FeedPagination
    const members = { data, pagination, ...route.envelope?.properties }
    return { root: pluralOf(root), schema: Type.Object(members) }
  }
}

/** Compiles the XML writers of the response bodies of routes; see `xmlDocumentOf`. */
export function compileXmlWriters(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => XmlWriter | undefined {
  const findDocument = xmlDocumentOf(routes, linksField)
  const writers = new Map<Route, XmlWriter>()
  for (const route of routes) {
    const document = findDocument(route)
    if (!document) continue
    const one = compileXmlWriter(document.schema, document.root)
    writers.set(route, route.many ? orList(one, document) : one)
  }
  return (route) => writers.get(route)
}

/** Returns the writer of an entity or of several ones that one request has created. */
function orList(one: XmlWriter, { root, schema }: XmlDocument): XmlWriter {
  const data = Type.Array(schema, { entry: root })
  const many = compileXmlWriter(Type.Object({ data }), pluralOf(root))
  return (value) => (isList(value) ? many : one)(value)
}

const isList = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

function withIncludes(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  linksField: string,
): TObject {
  const includes = Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>)
  const members = includes.map(([name, { resource, many }]): [string, TSchema] => {
    const related = entityDefinitionNamed(definitions, resource, definition)
    const schema = withoutIncludes(related, definitions, linksField)
    return [name, many ? arrayOf(related, schema) : nullable(schema)]
  })
  const { properties } = withoutIncludes(definition, definitions, linksField)
  const computedIncludes = Object.entries(
    (definition.computedIncludes ?? {}) as Record<string, ComputedInclude<unknown>>,
  ).map(([name, computedInclude]): [string, TSchema] => [name, computedInclude.schema])
  return Type.Object({ ...properties, ...Object.fromEntries([...members, ...computedIncludes]) })
}

/** The schema of an entity with its embeds and links, as inside another one. */
function withoutIncludes(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  linksField: string,
): TObject {
  const embeds = Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>)
  const members = embeds.map(([name, { resource, many = true }]): [string, TSchema] => {
    const child = entityDefinitionNamed(definitions, resource, definition)
    const schema = withoutIncludes(child, definitions, linksField)
    return [name, many ? arrayOf(child, schema) : schema]
  })
  const { properties } = definition.schema
  const links = definition.isUnlinked ? {} : { [linksField]: LinksSchema }
  return Type.Object({ ...properties, ...Object.fromEntries(members), ...links })
}

const arrayOf = (definition: AnyEntityDefinition, schema: TSchema): TSchema =>
  Type.Array(schema, { entry: entityNameOf(definition) })
