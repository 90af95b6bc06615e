import type { Static, TObject } from 'typebox'
import type { Language } from '#i18n/languages.ts'
import type { Db } from '#store/database.ts'
import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import type { EventStream } from './event-stream.ts'
import type {
  BodyOptions,
  HandlerResult,
  IdempotencyOptions,
  OperationOptions,
  Tag,
  TransactionMode,
} from './operation-options.ts'
import type { FeedPage, FeedRequest, ListedPage, ListRequest } from './pages.ts'
import type { PathParams, TextParams } from './path-params.ts'
import type { CachePolicy } from './policy.ts'
import type { RawInput } from './raw-input.ts'
import type {
  AnyEntityDefinition,
  AnyResource,
  Collection,
  Document,
  Item,
  Singleton,
} from './resource.ts'
import type { CreateResult } from './results.ts'
import { withTimes } from './times.ts'
import type { UploadOptions } from './uploaded-body.ts'

/**
 * What an operation does: `read`, `list` and `follow` are GET, `create` is POST, `replace` is PUT,
 * `modify` is PATCH (RFC 7396) and `remove` is DELETE.
 */
export type OperationKind = 'read' | 'list' | 'follow' | 'create' | 'replace' | 'modify' | 'remove'

/** An operation on a resource, with its types erased. */
export interface Route extends OperationOptions, IdempotencyOptions<unknown> {
  /** The group in the OpenAPI document; the first segment of the path by default. */
  readonly tag?: Tag
  readonly kind: OperationKind
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resource: AnyResource
  readonly path: string
  readonly cache?: CachePolicy
  readonly body?: TObject
  // biome-ignore lint/suspicious/noExplicitAny: each function below restores the precise types
  readonly many?: ManyOptions<any, any, any>
  /** Set where the body is read as it arrives, instead of `body`. */
  readonly upload?: UploadOptions<unknown>
  /** Converts the body of an API version into the body of the handler; see `VersionChange`. */
  readonly convertBody?: (body: unknown) => unknown
  readonly filters?: TObject
  /** Further members of a page; see `list`. */
  readonly envelope?: TObject
  readonly sortFields?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: each function below restores the precise types
  readonly cacheTags?: (input: any) => readonly string[]
  readonly transactions: TransactionMode
  readonly keepsAuthority?: boolean
  readonly acceptedAs?: string
  /** The statuses of success. */
  readonly statuses: readonly number[]
  // biome-ignore lint/suspicious/noExplicitAny: each function below restores the precise types
  readonly handle?: (ctx: Context, input: any) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly stream?: (ctx: Context, input: any) => Promise<EventStream>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly table?: (ctx: Context, input: any) => AsyncIterable<readonly unknown[]>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly prepare?: (body: any, ctx: Context, params: any) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly loginName?: (body: any, actor: Actor) => string
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly isGuess?: (body: any) => boolean
}

/** Returns the routes as members of a group. */
export const tagged = (tag: Tag, routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => ({ ...route, tag }))

type EntityDefinition<E, P extends string> = Item<E, P> | Singleton<E, P>

/** Declares an operation whose types are erased. */
export const declareRoute = (
  kind: OperationKind,
  method: Route['method'],
  resource: AnyResource,
  options: object,
): Route =>
  ({
    statuses: [200],
    transactions: 'one',
    ...options,
    kind,
    method,
    resource,
    path: resource.path,
  }) as unknown as Route

interface ReadOptions extends OperationOptions {
  /** The `Cache-Control` of the response. */
  readonly cache: CachePolicy
}

/** GET of one entity: 200, 304, 404 or 410. The resource definition loads and presents it. */
export const read = (resource: AnyEntityDefinition, options: ReadOptions): Route =>
  declareRoute('read', 'GET', resource, options)

/** GET of a document: 200 or 304. */
export const readDocument = <P extends string, F extends TObject = TObject<Record<never, never>>>(
  resource: Document<P>,
  options: ReadOptions & {
    /** The query parameters; none by default. */
    readonly filters?: F
    /** Returns the content; `version` is the API version of the request. */
    readonly render: (
      ctx: Context,
      input: {
        readonly params: PathParams<P>
        readonly version: number
        readonly filters: Static<F>
      },
    ) => Promise<string | Buffer>
  },
): Route => declareRoute('read', 'GET', resource, { ...options, handle: options.render })

/** A document that is sent as it is read. */
export interface StreamedDocument {
  /** Identifies the content. */
  readonly validator: string
  /** Returns the text, read from a snapshot of the database. */
  readonly read: (snapshot: Db) => AsyncGenerator<string, void>
}

/** GET of a document that may be long: 200 or 304, as fast as the client reads it. It has the limits of exports. */
export const streamDocument = <P extends string>(
  resource: Document<P>,
  options: ReadOptions & {
    readonly open: (
      ctx: Context,
      input: { readonly params: PathParams<P> },
    ) => Promise<StreamedDocument>
  },
): Route => declareRoute('read', 'GET', resource, { ...options, handle: options.open })

/** The content of a file. */
export interface FileContent {
  readonly bytes: Buffer
  /** The media type; a browser must not run it. */
  readonly type: string
  /** Identifies the content. */
  readonly validator: string
  /** The name under which a browser saves it, instead of showing it. */
  readonly fileName?: string
}

/** GET of a file, which pages of every origin may embed: 200, 304 or 404/4041. */
export const download = <P extends string>(
  resource: Document<P>,
  options: ReadOptions & {
    /** Returns the content; undefined if there is no such file. */
    readonly find: (
      ctx: Context,
      input: { readonly params: TextParams<P> },
    ) => Promise<FileContent | undefined>
  },
): Route =>
  declareRoute('read', 'GET', resource, {
    ...options,
    problems: ['4041', ...(options.problems ?? [])],
    handle: options.find,
  })

interface ListInput<P extends string, F extends TObject> {
  readonly params: PathParams<P>
  readonly filters: Static<F>
  readonly page: ListRequest
}

/** GET of a page of entities: 200 or 304, with pagination, sorting, filters and `Link` (RFC 8288). */
export const list = <E, P extends string, F extends TObject>(
  resource: Collection<E, P>,
  options: ReadOptions & {
    /** The query parameters besides those of paging; an invalid or unknown one is 400/4003. */
    readonly filters: F
    /**
     * The values of the `sort` parameter; the first one is the default. `created_at` and `updated_at`
     * are added, and the parameters that limit them, if the entities have these fields.
     */
    readonly sortFields: readonly string[]
    /**
     * The tags by which the response cache drops the page, besides those of its entities. Without
     * this function, pages are not stored there.
     */
    readonly cacheTags?: (input: ListInput<P, F>) => readonly string[]
    /** The schema of further, optional members of the page, which `find` returns as `envelope`. */
    readonly envelope?: TObject
    /** Returns the entities of the page, the length of the list and the next cursor. */
    readonly find: (ctx: Context, input: ListInput<P, F>) => Promise<ListedPage<E>>
    /** Returns what the list is as CSV, instead of its entities: the names of the columns, then the rows. */
    readonly table?: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly language: Language },
    ) => AsyncIterable<readonly unknown[]>
  },
): Route =>
  declareRoute('list', 'GET', resource, {
    ...options,
    sortFields: withTimes(resource, options.sortFields),
    handle: options.find,
  })

interface FollowInput<P extends string, F extends TObject> {
  readonly params: PathParams<P>
  readonly filters: Static<F>
  readonly feed: FeedRequest
}

/**
 * GET of the entries of a feed after a cursor: 200 or 304, or a stream of server-sent events. A
 * feed has one order and no end, so it has neither pages nor a length.
 */
export const follow = <E, P extends string, F extends TObject>(
  resource: Collection<E, P>,
  options: ReadOptions & {
    /** The query parameters besides limit and cursor; an invalid or unknown one is 400/4003. */
    readonly filters: F
    /** Returns the entries after the position of the cursor, and the position after them. */
    readonly find: (ctx: Context, input: FollowInput<P, F>) => Promise<FeedPage<E>>
    /**
     * Opens the same as `text/event-stream`: from now on, after the cursor, or after the
     * `Last-Event-ID` of a client that connects again.
     */
    readonly stream: (
      ctx: Context,
      input: FollowInput<P, F> & { readonly lastEventId: string | undefined },
    ) => Promise<EventStream>
  },
): Route => declareRoute('follow', 'GET', resource, { ...options, handle: options.find })

/** How one request creates several entities, all or none: its body is a list of bodies. */
export interface ManyOptions<E, P extends string, B extends TObject> {
  /** The maximum number of bodies. */
  readonly limit: number
  /** Creates the entities in the order of the bodies; `inEntry` adds the place of a body to a Problem. */
  readonly handle: (
    ctx: Context,
    input: { readonly params: PathParams<P>; readonly bodies: readonly Static<B>[] },
  ) => Promise<readonly E[]>
}

/**
 * POST: creates an entity. 201 with `Location`, unless the result says otherwise.
 *
 * @example
 * create(notes, {
 *   summary: 'Adds a note.',
 *   access: anyUser('notes:write'),
 *   rateLimit: 'default',
 *   body: NoteBody,
 *   handle: async ({ db, actor, now }, { body }) =>
 *     created(await insertNote(db, { ...body, user_id: actor.userId }, now)),
 * })
 */
export const create = <E, P extends string, B extends TObject, V = undefined>(
  resource: Collection<E, P> | Singleton<E, P>,
  options: OperationOptions &
    BodyOptions<B, V> &
    IdempotencyOptions<CreateResult<E>> & {
      /** The schema of the body; 400/4001 for a missing field, 422/4221 for an invalid one. */
      readonly body: B
      /** Set where a list of bodies is accepted, too: 201 with the entities as `data`. */
      readonly many?: ManyOptions<E, P, B>
      /** `one` by default. */
      readonly transactions?: TransactionMode
      /** The statuses that `handle` returns; 201 by default. */
      readonly statuses?: readonly (200 | 201 | 202)[]
      /** Creates the entity; `raw` is the body as the client sent it, for signatures. */
      readonly handle: (
        ctx: Context,
        input: {
          readonly params: PathParams<P>
          readonly body: Static<B>
          readonly prepared: V
          readonly raw: RawInput
        },
      ) => HandlerResult<CreateResult<E>>
    },
): Route => declareRoute('create', 'POST', resource, { statuses: [201], ...options })

interface ChangeOptions<E, P extends string, B extends TObject, V>
  extends OperationOptions,
    BodyOptions<B, V>,
    IdempotencyOptions<E> {
  /** The schema of the body; 400/4001 for a missing field, 422/4221 for an invalid one. */
  readonly body: B
  /** `one` by default. */
  readonly transactions?: TransactionMode
  /**
   * True if the operation does not change what the credential permits, which is then not compared
   * with what the caller is permitted.
   */
  readonly keepsAuthority?: boolean
  /** Changes `current`, the loaded entity, and returns its new state. */
  readonly handle: (
    ctx: Context,
    input: {
      readonly params: PathParams<P>
      readonly current: E
      readonly body: Static<B>
      readonly prepared: V
    },
  ) => HandlerResult<E>
}

/** PUT: replaces an entity. 200; 412/4121 if `If-Match` fails (RFC 9110 section 13.1.1). */
export const replace = <E, P extends string, B extends TObject, V = undefined>(
  resource: EntityDefinition<E, P>,
  options: ChangeOptions<E, P, B, V> & {
    /** `[204]` if the entity is gone afterwards, so that there is nothing to return; 200 by default. */
    readonly statuses?: readonly [204]
  },
): Route => declareRoute('replace', 'PUT', resource, options)

/** PATCH: changes the fields of the body, a JSON Merge Patch (RFC 7396). 200, or 412 as `replace`. */
export const modify = <E, P extends string, B extends TObject, V = undefined>(
  resource: EntityDefinition<E, P>,
  options: ChangeOptions<E, P, B, V>,
): Route => declareRoute('modify', 'PATCH', resource, options)

/**
 * DELETE: removes an entity. 204, also if it is gone already; 412 as `replace`. With `acceptedAs`, the
 * name of a resource, also 202 with an entity of it, which stands for a removal that continues.
 */
export const remove = <E, P extends string, A = never>(
  resource: EntityDefinition<E, P>,
  options: OperationOptions & {
    readonly acceptedAs?: string
    /** Removes `current`; not called for an entity that is gone. */
    readonly handle: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly current: E },
    ) => HandlerResult<void> | HandlerResult<CreateResult<A> | undefined>
  },
): Route => {
  const statuses = options.acceptedAs === undefined ? [204] : [204, 202]
  return declareRoute('remove', 'DELETE', resource, { ...options, statuses })
}
