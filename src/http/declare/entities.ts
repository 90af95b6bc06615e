import type { Route } from './operation.ts'
import type { AnyThing } from './resource.ts'

/** The items and singletons of some routes, by name. */
export type Things = ReadonlyMap<string, AnyThing>

/** Finds every item and singleton that routes serve, alone or in a list. */
export const thingsOf = (routes: readonly Route[]): Things =>
  new Map(
    routes.flatMap(({ noun }) => {
      const thing = noun.kind === 'collection' ? noun.item : noun
      return thing.kind === 'document' ? [] : [[thing.name as string, thing as AnyThing] as const]
    }),
  )

/** The thing of a name, which another contains; throws a TypeError where there is none. */
export function thingNamed(things: Things, name: string, by: AnyThing): AnyThing {
  const thing = things.get(name)
  if (!thing) throw new TypeError(`${by.name} contains ${name}, which is no noun`)
  return thing
}
