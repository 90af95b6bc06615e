import { type TObject, type TSchema, Type } from 'typebox'
import {
  type EntityDefinitions,
  entityDefinitionNamed,
  entityDefinitionsOf,
} from '#http/declare/entities.ts'
import {
  type AnyEntityDefinition,
  type ComputedInclude,
  type Embed,
  type Include,
  singularOf,
} from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { nullable } from '#http/declare/schema.ts'
import { Pagination } from '#http/response/pages.ts'
import { pluralOf } from './names.ts'
import { LinksPart } from './shape.ts'
import { compileXmlWriter, type XmlWriter } from './writer.ts'

/** What a route answers with: the schema of the whole body, and the root element of its XML. */
export interface XmlDocument {
  readonly root: string
  readonly schema: TObject
}

/** The root element of a resource in XML, in answers and in bodies alike. */
export const rootOf = ({ resource }: Pick<Route, 'resource'>): string => {
  if (resource.kind === 'document') return resource.name
  return singularOf(resource.kind === 'collection' ? resource.item : resource)
}

/**
 * Finds the schema of the whole body that a route answers with, its links, what is embedded and
 * the envelope of a page included; undefined for a route that answers with no resource.
 */
export function documentOf(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => XmlDocument | undefined {
  const definitions = entityDefinitionsOf(routes)
  return (route) => {
    const { resource, kind } = route
    if (resource.kind === 'document' || kind === 'remove') return undefined
    const definition: AnyEntityDefinition =
      resource.kind === 'collection' ? resource.item : resource
    const root = rootOf(route)
    const schema = withIncludes(definition, definitions, linksField)
    if (kind !== 'list') return { root, schema }
    const data = Type.Array(schema, { entry: root })
    return { root: pluralOf(root), schema: Type.Object({ data, pagination: Pagination }) }
  }
}

/** Compiles the writers of the XML answers of routes; see `tellingOf`. */
export function compileXmlAnswers(
  routes: readonly Route[],
  linksField: string,
): (route: Route) => XmlWriter | undefined {
  const telling = documentOf(routes, linksField)
  const written = new Map<Route, XmlWriter>()
  for (const route of routes) {
    const told = telling(route)
    if (told) written.set(route, compileXmlWriter(told.schema, told.root))
  }
  return (route) => written.get(route)
}

function withIncludes(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  linksField: string,
): TObject {
  const includes = Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>)
  const members = includes.map(([name, { resource, many }]): [string, TSchema] => {
    const related = entityDefinitionNamed(definitions, resource, definition)
    const schema = alone(related, definitions, linksField)
    return [name, many ? listOf(related, schema) : nullable(schema)]
  })
  const { properties } = alone(definition, definitions, linksField)
  const computedIncludes = Object.entries(
    (definition.computedIncludes ?? {}) as Record<string, ComputedInclude<unknown>>,
  ).map(([name, computedInclude]): [string, TSchema] => [name, computedInclude.schema])
  return Type.Object({ ...properties, ...Object.fromEntries([...members, ...computedIncludes]) })
}

/** What is embedded in something has its own embeds and links, and no includes. */
function alone(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  linksField: string,
): TObject {
  const embeds = Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>)
  const members = embeds.map(([name, { resource }]): [string, TSchema] => {
    const child = entityDefinitionNamed(definitions, resource, definition)
    return [name, listOf(child, alone(child, definitions, linksField))]
  })
  const { properties } = definition.schema
  return Type.Object({ ...properties, ...Object.fromEntries(members), [linksField]: LinksPart })
}

const listOf = (definition: AnyEntityDefinition, schema: TSchema): TSchema =>
  Type.Array(schema, { entry: singularOf(definition) })
