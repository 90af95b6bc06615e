import type { AnyEntityDefinition } from './resource.ts'
import type { Route } from './route.ts'

/** The items and singletons of some routes, by name. */
export type EntityDefinitions = ReadonlyMap<string, AnyEntityDefinition>

/** Finds every item and singleton that routes serve, alone or in a list. */
export const entityDefinitionsOf = (routes: readonly Route[]): EntityDefinitions =>
  new Map(
    routes.flatMap(({ resource }) => {
      const definition = resource.kind === 'collection' ? resource.item : resource
      return definition.kind === 'document'
        ? []
        : [[definition.name as string, definition as AnyEntityDefinition] as const]
    }),
  )

/** The thing of a name, which another contains; throws a TypeError where there is none. */
export function entityDefinitionNamed(
  definitions: EntityDefinitions,
  name: string,
  by: AnyEntityDefinition,
): AnyEntityDefinition {
  const definition = definitions.get(name)
  if (!definition) throw new TypeError(`${by.name} contains ${name}, which is no noun`)
  return definition
}
