import type { EntityDefinitions } from '#http/declare/entities.ts'
import { type AnyEntityDefinition, entityNameOf } from '#http/declare/resource.ts'

/** Turns `cart_item` into `CartItem`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())

/** Returns the name of the schema of an entity; resources with the same singular name share one. */
export function schemaNameOf(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
): string {
  const singular = entityNameOf(definition)
  return toPascalCase(definitions.has(singular) ? singular : definition.name)
}
