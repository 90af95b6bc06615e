import type { TObject } from 'typebox'
import type { Language } from '#i18n/languages.ts'
import type { Instant } from '#values/instant.ts'
import type { Actor, Authority, Scope } from './caller.ts'
import type { Context } from './context.ts'

/** The path parameters of a template: `/users/:id/orders/:orderId` has `id` and `orderId`. */
export type PathParams<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: number } & PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { readonly [K in Name]: number }
    : object

/** A relation to another noun, or an act on it; shown while it holds and the caller may follow. */
export interface Link<E> {
  /** The name of the noun it leads to. */
  readonly to: string
  /** The verb to use there; a read by default. */
  readonly operation?: 'read' | 'create' | 'replace' | 'modify' | 'remove'
  readonly params?: (entity: E) => Readonly<Record<string, number>>
  /** The query of the target, starting with `?`. */
  readonly query?: (entity: E) => string
  readonly when?: (entity: E, ctx: Context) => boolean
  /** A body to send along, filled in as far as it is known. */
  readonly body?: (entity: E) => Readonly<Record<string, unknown>>
}

/** Related resources that a reader may ask to have embedded. */
export interface Include<E> {
  /** The name of the noun embedded. */
  readonly resource: string
  readonly many: boolean
  /** Loads the related entities of many at once: one query, however many; keyed by entity. */
  readonly load: (ctx: Context, entities: readonly E[]) => Promise<ReadonlyMap<E, unknown>>
}

/**
 * Something that is no resource of its own and is told with one entity where a reader asks for it.
 * An answer that holds it has no validators and is stored by nobody.
 */
export interface ComputedInclude<E> {
  /** Names its schema in the API description; unique. */
  readonly name: string
  readonly description: string
  readonly schema: TObject
  /** What a credential must hold to be told it, beside what reading the entity takes. */
  readonly scopes: readonly Scope[]
  readonly load: (ctx: Context, entity: E) => Promise<object>
}

/** Related resources that an entity carries with it. */
export interface Embed<E> {
  /** The name of the noun embedded. */
  readonly resource: string
  readonly of: (entity: E) => readonly unknown[]
}

/** A body as a version takes it. */
export interface ReshapedBody {
  readonly schema: TObject
  /** Makes what the version before asks for of what was sent. */
  readonly accept: (body: unknown) => unknown
}

/**
 * What a version changes of a noun, beside its amounts. The next version begins from that: what it
 * leaves out stays as it was in the version before.
 */
export interface VersionChange {
  readonly schema?: TObject
  /** Makes the form of this version of that of the version before. */
  readonly present?: (told: object) => object
  /** What takes the place of each body, by that of the first version. */
  readonly bodies?: ReadonlyMap<TObject, ReshapedBody>
}

/** What an item and a singleton have in common: how one entity is found, told and linked. */
interface EntityDefinition<E, P extends string> {
  /** Names the noun in links; unique. */
  readonly name: string
  /** The singular name of the resource in the words of the API; the noun's name by default. */
  readonly singular?: string
  readonly description: string
  readonly path: P
  /** The public shape, without `_links` and what is included. */
  readonly schema: TObject
  readonly load: (ctx: Context, params: PathParams<P>) => Promise<E | undefined>
  /** The same for a write, kept from changing until its transaction ends; `load` by default. */
  readonly loadForUpdate?: (ctx: Context, params: PathParams<P>) => Promise<E | undefined>
  /** True for an entity that once was; reading it answers 410. */
  readonly isGone?: (entity: E) => boolean
  readonly present: (entity: E, ctx: Context) => object
  readonly pathParams: (entity: E) => Readonly<Record<string, number>>
  /** Changes with every change of the entity; the first part of its ETag. */
  readonly revision: (entity: E, ctx: Context) => number | string
  /**
   * The moments at which what is told of it is known to have changed, its creation first. Not the
   * links: who may follow them is for the ETag to tell.
   */
  readonly changedAt?: (entity: E, ctx: Context) => readonly Instant[]
  /** The names of what its representation rests on; answers without any are not kept ready. */
  readonly cacheTags?: (entity: E) => readonly string[]
  /** The user it belongs to. */
  readonly owner?: (entity: E) => number | null
  /** True where what is told of it holds sentences, so that it is another in each language. */
  readonly isLocalized?: boolean
  /** Makes a page for people of its public shape, links included; none is offered by default. */
  readonly page?: (told: Any, language: Language) => string
  readonly links?: Readonly<Record<string, Link<E>>>
  /** Whom links are shown to where the answer makes somebody of a caller who is not known. */
  readonly caller?: (entity: E) => Actor
  /**
   * What a credential may be used for. Every create, replace and modify is held to it: the caller
   * passes on no more than its own credential allows. Required where the schema has a field marked
   * `shownOnce`, unless the answer is itself a sign-in (`caller`).
   */
  readonly authority?: (entity: E) => Authority
  /** Related resources that are always part of the body. */
  readonly embeds?: Readonly<Record<string, Embed<E>>>
  readonly includes?: Readonly<Record<string, Include<E>>>
  /** Names that stand for several includes. */
  readonly includeGroups?: Readonly<Record<string, readonly string[]>>
  /** What else can be included where one is read. */
  readonly computedIncludes?: Readonly<Record<string, ComputedInclude<E>>>
  /** What the versions change of it, each from the one before. */
  readonly versions?: Readonly<Record<number, VersionChange>>
}

/** One of many, named by an identifier. */
export interface Item<E, P extends string> extends EntityDefinition<E, P> {
  readonly kind: 'item'
}

/** The only one of its kind at its place, such as a user's cart. */
export interface Singleton<E, P extends string> extends EntityDefinition<E, P> {
  readonly kind: 'singleton'
}

/** A place where items are listed or created. */
export interface Collection<E, P extends string> {
  readonly kind: 'collection'
  /** The plural name of the resource. */
  readonly name: string
  readonly path: P
  readonly item: Item<E, string> | Singleton<E, string>
}

/** A page that is no resource of the shop: documentation, health, metrics. */
export interface Document<P extends string> {
  readonly kind: 'document'
  readonly name: string
  readonly description: string
  readonly path: P
  readonly mediaType: string
}

// biome-ignore lint/suspicious/noExplicitAny: the kernel stores nouns of all entities alike
type Any = any

/** An item or singleton of any entity. */
export type AnyEntityDefinition = Item<Any, Any> | Singleton<Any, Any>

/** A collection of any entity. */
export type AnyCollection = Collection<Any, Any>

/** Any noun. */
export type AnyResource = AnyEntityDefinition | AnyCollection | Document<Any>

/** What somebody owns: enough of a noun to find its entity and whose it is. */
export interface Owned {
  readonly name: string
  readonly singular?: string
  readonly load: (ctx: Context, params: Any) => Promise<Any>
  readonly owner?: (entity: Any) => number | null
  readonly isGone?: (entity: Any) => boolean
}

/** What the API calls one entity of the noun. */
export const singularOf = ({
  singular,
  name,
}: Pick<AnyEntityDefinition, 'singular' | 'name'>): string => singular ?? name

/** True for a noun whose answers hold sentences. */
export function isLocalized(resource: AnyResource): boolean {
  const definition = resource.kind === 'collection' ? resource.item : resource
  return definition.kind !== 'document' && definition.isLocalized === true
}

/** Declares an item. */
export const item = <E, const P extends string>(
  resource: Omit<Item<E, P>, 'kind'>,
): Item<E, P> => ({
  kind: 'item',
  ...resource,
})

/** Declares a singleton. */
export const singleton = <E, const P extends string>(
  resource: Omit<Singleton<E, P>, 'kind'>,
): Singleton<E, P> => ({ kind: 'singleton', ...resource })

/** Declares a collection of an item. */
export const collection = <E, const P extends string>(
  resource: Omit<Collection<E, P>, 'kind' | 'item'> & {
    readonly item: Item<E, Any> | Singleton<E, Any>
  },
): Collection<E, P> => ({ kind: 'collection', ...resource })

/** Declares a document. */
export const document = <const P extends string>(
  resource: Omit<Document<P>, 'kind'>,
): Document<P> => ({
  kind: 'document',
  ...resource,
})
