import { setImmediate as nextTurn } from 'node:timers/promises'
import { compileCodec } from '#http/codec/codec.ts'
import type { CodecOptions } from '#http/codec/value-codec.ts'
import { type EntityDefinitions, entityDefinitionNamed } from '#http/declare/entities.ts'
import { requireScope } from '#http/declare/permissions.ts'
import type { ComputedInclude, Include } from '#http/declare/related.ts'
import type { AnyEntityDefinition } from '#http/declare/resource.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import { dialectOf } from '#store/query/dialect.ts'
import { type LoadedIncludes, type Presenter, type PresenterOf, weightOf } from './presenter.ts'
import { maxResponseBytes, tooLarge } from './response-size.ts'

/** Loads the includes that a request asks for. */
export type LoadIncludes = (
  exchange: ValidatedExchange,
  entities: readonly unknown[],
) => Promise<LoadedIncludes | undefined>

/** An include and the presenter of what it embeds. */
export interface CompiledInclude {
  readonly include: Include<unknown>
  readonly presenter: Presenter
}

/** Compiles the includes of a definition, by name. */
export function compileIncludes(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  presenterOf: PresenterOf,
): ReadonlyMap<string, CompiledInclude> {
  return new Map(
    Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, include]) => {
        const presenter = presenterOf(
          entityDefinitionNamed(definitions, include.resource, definition),
        )
        return [name, { include, presenter }] as const
      },
    ),
  )
}

/** The maximum number of rows that all includes of a response embed. */
export const maxEmbeddedRows = 5000
/** The maximum weight of these rows: beyond it the response would exceed `maxResponseBytes`. */
const maxEmbeddedWeight = 2 * maxResponseBytes
/**
 * The entities whose includes one statement loads: a statement of SQLite holds the event loop, and each of
 * PostgreSQL is a round trip.
 */
const entitiesAtOnce = { sqlite: 5, postgres: 100 }

/**
 * Returns a function that loads each requested include, of some entities at a time. Throws 400/4003 for
 * more than 5,000 rows, and for rows that are too large for a response.
 */
export const includeLoader =
  (compiled: ReadonlyMap<string, CompiledInclude>): LoadIncludes =>
  async ({ ctx, input }, entities) => {
    if (input.include.length === 0) return undefined
    const loaded = new Map()
    const step = entitiesAtOnce[dialectOf(ctx.db)]
    let count = 0
    let weight = 0
    for (const name of input.include) {
      const entry = compiled.get(name)
      if (!entry) continue
      const related = new Map<unknown, unknown>()
      for (let at = 0; at < entities.length; at += step) {
        await nextTurn()
        const some = entities.slice(at, at + step)
        const found = await entry.include.load(ctx, some, maxEmbeddedRows + 1)
        for (const [entity, rows] of found) {
          related.set(entity, rows)
          for (const row of [rows ?? []].flat()) {
            count += 1
            weight += weightOf(row)
          }
        }
        if (count > maxEmbeddedRows) throw tooLarge('query.embedded_rows', maxEmbeddedRows)
        if (weight > maxEmbeddedWeight) throw tooLarge('query.response_bytes', maxResponseBytes)
      }
      loaded.set(name, { ...entry, related })
    }
    return loaded
  }

/** Loads the computed includes that a request asks for. */
export type LoadComputedIncludes = (
  exchange: ValidatedExchange,
  entity: unknown,
) => Promise<object | undefined>

/** Compiles the computed includes of a definition; 403/4033 without the scopes of a requested one. */
export function compileComputedIncludes(
  { computedIncludes = {} }: AnyEntityDefinition,
  codecOptions: CodecOptions,
): LoadComputedIncludes {
  const compiled = Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>).map(
    ([name, computedInclude]) => ({
      name,
      computedInclude,
      codec: compileCodec(computedInclude.schema, codecOptions),
    }),
  )
  return async ({ ctx, input }, entity) => {
    const requested = compiled.filter(({ name }) => input.include.includes(name))
    if (requested.length === 0) return undefined
    const needed = requested.flatMap(({ computedInclude }) => computedInclude.scopes)
    // A full sign-in may read all of its own data, even where its role lacks one of the scopes.
    if (!ctx.actor.isFullSignIn) for (const scope of needed) requireScope(scope, ctx.actor)
    const fields: Record<string, unknown> = {}
    for (const { name, computedInclude, codec } of requested) {
      fields[name] = codec.encode(await computedInclude.load(ctx, entity))
    }
    return fields
  }
}
