import { type AnyEntityDefinition, definitionOf } from './resource.ts'
import type { Route } from './route.ts'

/** Items and singletons, by name. */
export type EntityDefinitions = ReadonlyMap<string, AnyEntityDefinition>

/** Returns every item and singleton that the routes serve, directly or through a collection. */
export const entityDefinitionsOf = (routes: readonly Route[]): EntityDefinitions =>
  new Map(
    routes.flatMap(({ resource }) => {
      const definition = definitionOf(resource)
      return definition.kind === 'document'
        ? []
        : [[definition.name as string, definition] as const]
    }),
  )

/**
 * Returns the definition of this name, which `container` embeds or includes. Throws a TypeError if
 * it is unknown.
 */
export function entityDefinitionNamed(
  definitions: EntityDefinitions,
  name: string,
  container: AnyEntityDefinition,
): AnyEntityDefinition {
  const definition = definitions.get(name)
  if (!definition) throw new TypeError(`${container.name} refers to an unknown resource: ${name}`)
  return definition
}
