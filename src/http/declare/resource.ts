import type { TObject } from 'typebox'
import type { Language } from '#i18n/languages.ts'
import type { Instant } from '#values/instant.ts'
import type { Actor, Authority } from './actor.ts'
import type { Context } from './context.ts'
import type { PathParams, TextParams } from './path-params.ts'
import type { ComputedInclude, Embed, ExportedFields, Include } from './related.ts'

/**
 * A link in `_links`: a relation to another resource or an operation on it. It is shown while `when`
 * holds and the access policy of its target admits the caller.
 */
export interface Link<E> {
  /** The name of the target resource. An unknown name stops the start with a TypeError. */
  readonly to: string
  /** The operation on the target; `read` or `list` by default. */
  readonly operation?: 'read' | 'create' | 'replace' | 'modify' | 'remove'
  /** The path parameters of the target; those of the entity by default. */
  readonly params?: (entity: E) => Readonly<Record<string, number>>
  /** The query of the link, with the leading `?`. */
  readonly query?: (entity: E) => string
  /** True by default. */
  readonly when?: (entity: E, ctx: Context) => boolean
  /** Returns an address outside of the API, which then replaces that of the target. */
  readonly url?: (entity: E, ctx: Context) => string | undefined
  /** A body to send, filled in as far as it is known. */
  readonly body?: (entity: E) => Readonly<Record<string, unknown>>
}

/** A body in an API version. */
export interface VersionedBody {
  readonly schema: TObject
  /** Converts the body to that of the version before. */
  readonly convertBody: (body: unknown) => unknown
}

/**
 * How an API version differs from the one before in the representation of a resource; what is left
 * out stays. Amounts of money need no declaration: from the second version on they are objects.
 */
export interface VersionChange {
  readonly schema?: TObject
  /** Converts the representation of the version before. */
  readonly present?: (representation: object) => object
  /** By the schema of a body in the first version: the body in this version. */
  readonly bodies?: ReadonlyMap<TObject, VersionedBody>
}

/** How an entity is represented as JSON-LD. */
export interface LinkedData<E> {
  /** Loads what it has besides the representation. */
  readonly load: (ctx: Context, entity: E) => Promise<Any>
  /** The cache tags of what is loaded. */
  readonly cacheTags: readonly string[]
  readonly present: (representation: Any, loaded: Any) => object
}

/** What items and singletons declare. `E` is the type of the loaded entity, `P` the path template. */
interface EntityDefinition<E, P extends string> {
  /** Identifies the resource in links, embeds and operation IDs; unique, in snake case. */
  readonly name: string
  /** The public name where several resources represent the same thing; `name` by default. */
  readonly singular?: string
  /** The description of its OpenAPI schema. */
  readonly description: string
  /** The path template, such as `/users/:id/orders/:orderId`; every parameter is an ID. */
  readonly path: P
  /** All IDs that there are, if they never change. */
  readonly ids?: readonly number[]
  /** The schema of what `present` returns: without links, embeds and includes. */
  readonly schema: TObject
  /** Loads the entity that the path names; undefined is 404/4041. */
  readonly load: (ctx: Context, params: PathParams<P>) => Promise<E | undefined>
  /**
   * `load` for a write with this body, if it has one: locks the entity until the transaction ends, and before it what
   * must be locked first. `load` by default.
   */
  readonly loadForUpdate?: (
    ctx: Context,
    params: PathParams<P>,
    body: unknown,
  ) => Promise<E | undefined>
  /**
   * Returns the entity once the work on it has ended, or after `waitMs`: for a client that reads it with
   * `Prefer: wait` (RFC 7240 section 4.3).
   */
  readonly waitForEnd?: (ctx: Context, entity: E, waitMs: number) => Promise<E>
  /** True for a deleted entity: 410/4101 (RFC 9110 section 15.5.11), 204 for DELETE. */
  readonly isGone?: (entity: E) => boolean
  /** True if the last path parameter is a text instead of an ID; `textItem` sets it. */
  readonly hasTextId?: boolean
  /** True if nothing can be read at the path, so that responses have no `Location`. */
  readonly isWriteOnly?: boolean
  /** True for the format of another specification, which has no links. */
  readonly isUnlinked?: boolean
  /** Returns the entity as its schema describes it: money in minor units, instants as numbers. */
  readonly present: (entity: E, ctx: Context) => object
  /** Returns the path parameters of the entity, for `self` and `Location`. */
  readonly pathParams: (entity: E) => Readonly<Record<string, number>>
  /** Returns what identifies the state of the entity: the first part of its ETag. */
  readonly revision: (entity: E, ctx: Context) => number | string
  /**
   * Returns the times at which the representation is known to have changed, in milliseconds since
   * 1970, its creation first; `Last-Modified` follows from them. Changes of links do not count: only
   * the ETag reflects them. Without this function there is no `Last-Modified`.
   */
  readonly changedAt?: (entity: E, ctx: Context) => readonly Instant[]
  /**
   * Returns the tags by which the response cache drops the entity. Without this function, its
   * responses are not stored there.
   */
  readonly cacheTags?: (entity: E) => readonly string[]
  /** Returns the ID of the user who owns the entity; null without an owner. */
  readonly owner?: (entity: E) => number | null
  /** True if the representation contains sentences, so that it differs by `Accept-Language`. */
  readonly isLocalized?: boolean
  /** Returns the representation, with links, as an HTML page; without it, `text/html` is 406. */
  readonly page?: (representation: Any, language: Language) => string
  /** Its JSON-LD when it is read; without it, `application/ld+json` is 406. */
  readonly linkedData?: LinkedData<E>
  /** The links of the representation by relation; `self` is added if absent. */
  readonly links?: Readonly<Record<string, Link<E>>>
  /** Returns the user that the response signs in, whose links it then contains. */
  readonly signedInActor?: (entity: E) => Actor
  /**
   * Returns what a credential permits, for resources that are credentials. A caller cannot create,
   * replace or modify one that permits more than the caller's own credential: 403/4031 or 403/4033.
   * Required if the schema has a `shownOnce` field, unless the response is a sign-in (`signedInActor`).
   */
  readonly authority?: (entity: E) => Authority
  /** Related entities that every representation contains, by field. */
  readonly embeds?: Readonly<Record<string, Embed<E>>>
  /** Related entities that the `include` parameter embeds, by field. */
  readonly includes?: Readonly<Record<string, Include<E>>>
  /** Values of the `include` parameter that stand for several includes. */
  readonly includeGroups?: Readonly<Record<string, readonly string[]>>
  /** Other objects that the `include` parameter embeds when one entity is read, by field. */
  readonly computedIncludes?: Readonly<Record<string, ComputedInclude<E>>>
  /** Fields that only exports have. */
  readonly exported?: ExportedFields<E>
  /** The API versions in which the representation or a body differs from the version before. */
  readonly versions?: Readonly<Record<number, VersionChange>>
}

/** One of many entities, identified by the last path parameter, such as an order. */
export interface Item<E, P extends string> extends EntityDefinition<E, P> {
  readonly kind: 'item'
}

/** The only entity at its path, such as the cart of a user. */
export interface Singleton<E, P extends string> extends EntityDefinition<E, P> {
  readonly kind: 'singleton'
}

/** A path where entities are listed or created. */
export interface Collection<E, P extends string> {
  readonly kind: 'collection'
  /** Identifies the collection in links and operation IDs; unique, plural, in snake case. */
  readonly name: string
  readonly path: P
  readonly item: Item<E, string> | Singleton<E, string>
}

/** Content that is no entity and has one media type: documentation, health, metrics. */
export interface Document<P extends string> {
  readonly kind: 'document'
  /** Identifies the document in links and operation IDs; unique, in snake case. */
  readonly name: string
  /** The description of its OpenAPI response. */
  readonly description: string
  readonly path: P
  /** The `Content-Type` of the response. */
  readonly mediaType: string
  /** The `Link` of the response (RFC 8288). */
  readonly link?: string
  /** True if the last path parameter is a text instead of an ID; `files` sets it. */
  readonly hasTextId?: boolean
  /** All names of files that there are, if they never change. */
  readonly names?: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: definitions of all entities are stored alike
type Any = any

/** An item or singleton of any entity. */
export type AnyEntityDefinition = Item<Any, Any> | Singleton<Any, Any>

/** A collection of any entity. */
export type AnyCollection = Collection<Any, Any>

/** Any resource. */
export type AnyResource = AnyEntityDefinition | AnyCollection | Document<Any>

/** The part of a definition that finds an entity and its owner, for `ownerOrAdmin`. */
export interface OwnedResource {
  readonly name: string
  readonly singular?: string
  readonly load: (ctx: Context, params: Any) => Promise<Any>
  readonly owner?: (entity: Any) => number | null
  readonly isGone?: (entity: Any) => boolean
}

/** Returns the public name of one entity. */
export const entityNameOf = ({
  singular,
  name,
}: Pick<AnyEntityDefinition, 'singular' | 'name'>): string => singular ?? name

/** Returns the definition of the entities of a resource; a document itself. */
export function definitionOf(resource: AnyEntityDefinition | AnyCollection): AnyEntityDefinition
export function definitionOf(resource: AnyResource): AnyEntityDefinition | Document<Any>
export function definitionOf(resource: AnyResource): AnyEntityDefinition | Document<Any> {
  return resource.kind === 'collection' ? resource.item : resource
}

/**
 * Declares an item. The path template types `params`; `load` types the entity.
 *
 * @example
 * const note = item({
 *   name: 'note',
 *   description: 'A note of a user.',
 *   path: '/notes/:noteId',
 *   schema: Note,
 *   load: ({ db }, { noteId }) => findNote(db, noteId),
 *   pathParams: ({ id }) => ({ noteId: id }),
 *   revision: ({ revision }) => revision,
 *   changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
 *   owner: ({ user_id }) => user_id,
 *   present: (row) => row,
 *   links: { delete: { to: 'note', operation: 'remove' } },
 * })
 */
export const item = <E, const P extends string>(
  resource: Omit<Item<E, P>, 'kind'>,
): Item<E, P> => ({ kind: 'item', ...resource })

/** Declares an item that a text identifies, such as `/events/evt_…`. */
export const textItem = <E, const P extends string>(
  resource: Omit<Item<E, P>, 'kind' | 'load' | 'loadForUpdate' | 'pathParams' | 'hasTextId'> & {
    readonly load: (ctx: Context, params: TextParams<P>) => Promise<E | undefined>
    readonly pathParams: (entity: E) => Readonly<Record<string, number | string>>
  },
): Item<E, P> =>
  // Other definitions have numbers; `hasTextId` makes the server pass the text.
  ({ kind: 'item', hasTextId: true, ...resource }) as unknown as Item<E, P>

/** Declares a singleton. */
export const singleton = <E, const P extends string>(
  resource: Omit<Singleton<E, P>, 'kind'>,
): Singleton<E, P> => ({ kind: 'singleton', ...resource })

/**
 * Declares a collection of items.
 *
 * @example
 * const notes = collection({ name: 'notes', path: '/notes', item: note })
 */
export const collection = <E, const P extends string>(
  resource: Omit<Collection<E, P>, 'kind' | 'item'> & {
    readonly item: Item<E, Any> | Singleton<E, Any>
  },
): Collection<E, P> => ({ kind: 'collection', ...resource })

/** Declares files of usually one media type, named by the last path parameter. */
export const files = <const P extends string>(
  resource: Omit<Document<P>, 'kind' | 'hasTextId'>,
): Document<P> => ({ kind: 'document', hasTextId: true, ...resource })

/** Declares a document. */
export const document = <const P extends string>(
  resource: Omit<Document<P>, 'kind'>,
): Document<P> => ({ kind: 'document', ...resource })
