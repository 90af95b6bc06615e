import {
  type EntityDefinitions,
  entityDefinitionNamed,
  entityDefinitionsOf,
} from '#http/declare/entities.ts'
import type { Embed, Include } from '#http/declare/related.ts'
import { type AnyEntityDefinition, definitionOf, type Link } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { VariesByOwner } from '#http/exchange/exchange.ts'
import { findLinkTarget } from './links.ts'

/** Returns a function that finds from the declarations which representations vary by owner. */
export function compileVariesByOwner(routes: readonly Route[]): (route: Route) => VariesByOwner {
  const definitions = entityDefinitionsOf(routes)
  // Other representations have only readers who are the owner or have another permission tag.
  const publicNames = new Set(
    routes
      .filter(({ method, access }) => method === 'GET' && access.kind === 'optional-authentication')
      .map(({ resource }) => definitionOf(resource).name),
  )
  return ({ resource }) => {
    const definition = definitionOf(resource)
    if (definition.kind === 'document' || !publicNames.has(definition.name)) return 'never'
    if (hasLinkOfOwner(definition, definitions, routes)) return 'always'
    const includes: readonly Include<unknown>[] = Object.values(definition.includes ?? {})
    const isDifferent = includes.some((include) =>
      hasLinkOfOwner(
        entityDefinitionNamed(definitions, include.resource, definition),
        definitions,
        routes,
      ),
    )
    return isDifferent ? 'with-includes' : 'never'
  }
}

/** True if a link of the entity, or of one that it embeds, is shown to its owner only. */
function hasLinkOfOwner(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  routes: readonly Route[],
): boolean {
  const links: readonly [string, Link<unknown>][] = Object.entries(definition.links ?? {})
  const embeds: readonly Embed<unknown>[] = Object.values(definition.embeds ?? {})
  return (
    links.some(([rel, link]) => {
      const { kind } = findLinkTarget(definition, rel, link, routes).access
      return (
        kind === 'owner-by-path' || (kind === 'owner-by-entity' && definition.owner !== undefined)
      )
    }) ||
    embeds.some(({ resource }) =>
      hasLinkOfOwner(entityDefinitionNamed(definitions, resource, definition), definitions, routes),
    )
  )
}
