import type { TObject } from 'typebox'
import type { Actor, Scope } from './actor.ts'
import type { Context } from './context.ts'

/** A related resource that the `include` parameter embeds. */
export interface Include<E> {
  /** The name of the embedded resource. */
  readonly resource: string
  /** True for an array, false for one entity or null. */
  readonly many: boolean
  /**
   * Loads the related entities of all `entities`, by entity: an array if `many`, else one entity.
   * Called once per response, so that the number of queries does not depend on the page. Need not load more
   * than `maxRows`, with which the response is rejected.
   */
  readonly load: (
    ctx: Context,
    entities: readonly E[],
    maxRows: number,
  ) => Promise<ReadonlyMap<E, unknown>>
}

/** Fields that exports add to what `present` returns. */
export interface ExportedFields<E> {
  /** Their schema: texts and numbers, which are the same in every version. */
  readonly schema: TObject
  /** Returns those of each entity, in their order. */
  readonly load: (ctx: Context, entities: readonly E[]) => Promise<readonly object[]>
  /** The fields that the caller may not see: an empty column would clear them when it is imported. */
  readonly hides?: (actor: Actor) => readonly string[]
  /** A field of values by name, and the names that are columns of tables: they are known before the first row. */
  readonly named?: {
    readonly field: string
    readonly names: (ctx: Context) => Promise<readonly string[]>
  }
}

/**
 * An object that is no resource and that the `include` parameter embeds in one entity. The response
 * has no validators and is `no-store`.
 */
export interface ComputedInclude<E> {
  /** The name of its OpenAPI schema; unique. */
  readonly name: string
  readonly description: string
  readonly schema: TObject
  /** Further scopes that the credential needs unless it is a full sign-in; else 403/4033. */
  readonly scopes: readonly Scope[]
  readonly load: (ctx: Context, entity: E) => Promise<object>
}

/**
 * Related entities that every representation of an entity contains. `revision` and `changedAt` of
 * that entity must reflect their changes.
 */
export interface Embed<E> {
  /** The name of the embedded resource. */
  readonly resource: string
  /** False where one entity is embedded; true by default. */
  readonly many?: boolean
  /** Returns the entities, or the one, which `load` of the containing resource has loaded. */
  readonly of: (entity: E) => unknown
}
