import type { Static, TObject } from 'typebox'
import type { RawInput } from '#http/codec/raw-body.ts'
import type { ListRequest, PageResult } from '#http/response/pages.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import type { AccessPolicy, CachePolicy, RateLimitPolicy, RouteGuard } from './policy.ts'
import type {
  AnyEntityDefinition,
  AnyResource,
  Collection,
  Document,
  Item,
  PathParams,
  Singleton,
} from './resource.ts'

/**
 * What an operation does: `read` and `list` are GET, `create` is POST, `replace` is PUT, `modify`
 * is PATCH (RFC 7396) and `remove` is DELETE.
 */
export type OperationKind = 'read' | 'list' | 'create' | 'replace' | 'modify' | 'remove'

/** What every operation declares. */
interface OperationOptions {
  /** The OpenAPI summary: one sentence, in the third person. */
  readonly summary: string
  /** Who may use the operation. */
  readonly access: AccessPolicy
  /** How often a caller may use it. */
  readonly rateLimit: RateLimitPolicy
  /** A check of the request beside `access`. */
  readonly guard?: RouteGuard
  /** The codes of problems that the handler throws; those of the pipeline are known. */
  readonly problems?: readonly ErrorCode[]
  /**
   * The clients that are not redirected to HTTPS, whatever the HTTPS policy: `anybody` for health
   * checks, `loopback` for a process on this machine.
   */
  readonly allowPlainHttpFrom?: 'anybody' | 'loopback'
}

/** The result of a `create` handler. */
export interface CreateResult<E> {
  /** 201 for a new entity, 200 for an existing one, 202 for work that continues. */
  readonly status: 200 | 201 | 202
  readonly entity: E
}
/** The entity is new: 201 with `Location`. */
export const created = <E>(entity: E): CreateResult<E> => ({ status: 201, entity })
/** An existing entity was changed or used: 200. */
export const ok = <E>(entity: E): CreateResult<E> => ({ status: 200, entity })
/** The entity stands for work that continues after the response: 202 with `Location`. */
export const accepted = <E>(entity: E): CreateResult<E> => ({ status: 202, entity })

/**
 * Work that waits for another service, returned by a handler instead of its result. `run` is called
 * once the transaction is durable, outside any transaction, and returns the result or throws a
 * Problem. If the process ends before, `run` is never called: what the handler has committed must
 * be enough to finish the work later. `subject` is an ID of the work, passed to `resumeResult`.
 */
export class AfterCommit<R> {
  readonly subject: number
  readonly run: (ctx: Context) => Promise<R>
  constructor(subject: number, run: (ctx: Context) => Promise<R>) {
    this.subject = subject
    this.run = run
  }
}
type HandlerResult<R> = Promise<R | AfterCommit<R>>

/**
 * `one`: the handler runs in one transaction, again after a conflict with a concurrent one, so it
 * must have no effect but on the database. `own`: the handler opens transactions itself, because it
 * has slow work between them; such an operation accepts no Idempotency-Key.
 */
type TransactionMode = 'one' | 'own'

interface BodyOptions<B extends TObject> {
  /**
   * Does slow work on the validated body, such as hashing a password, before the transaction
   * begins. The handler gets the returned body. What is read from the database here may be stale.
   */
  readonly prepareBody?: (
    body: Static<B>,
    ctx: Context,
    params: Readonly<Record<string, number>>,
  ) => Promise<Static<B>>
  /** The login name that a request tries; sign-ins with the rate `credentials` count per name. */
  readonly loginName?: (body: Static<B>, actor: Actor) => string
}

/** How a POST or PATCH handles `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). */
interface IdempotencyOptions<R> {
  /** False if a stored response must not be sent again: the field is ignored. True by default. */
  readonly acceptsIdempotencyKey?: boolean
  /**
   * Finds the result of an `AfterCommit` whose process ended before its response was stored, by its
   * `subject`. Throws the Problem of work that failed. Returns undefined for work that had no effect
   * and never will; the handler then runs again. Without it, such a request is 409/4094.
   */
  readonly resumeResult?: (ctx: Context, subject: number) => Promise<R | undefined>
}

/** An operation on a resource, with its types erased. */
export interface Route extends OperationOptions, IdempotencyOptions<unknown> {
  readonly kind: OperationKind
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resource: AnyResource
  readonly path: string
  readonly cache?: CachePolicy
  readonly body?: TObject
  /** Converts the body of an API version into the body of the handler; see `VersionChange`. */
  readonly convertBody?: (body: unknown) => unknown
  readonly filters?: TObject
  readonly sortFields?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: each function below restores the precise types
  readonly cacheTags?: (input: any) => readonly string[]
  readonly transactions: TransactionMode
  /** The statuses of success. */
  readonly statuses: readonly number[]
  // biome-ignore lint/suspicious/noExplicitAny: each function below restores the precise types
  readonly handle?: (ctx: Context, input: any) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly prepareBody?: (body: any, ctx: Context, params: any) => Promise<unknown>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly loginName?: (body: any, actor: Actor) => string
}

type EntityDefinition<E, P extends string> = Item<E, P> | Singleton<E, P>

const route = (
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

/** GET of one entity: 200, 304, 404 or 410. The resource definition loads and presents it. */
export const read = (
  resource: AnyEntityDefinition,
  options: OperationOptions & {
    /** The `Cache-Control` of the response. */
    readonly cache: CachePolicy
  },
): Route => route('read', 'GET', resource, options)

/** GET of a document: 200 or 304. */
export const serve = <P extends string>(
  resource: Document<P>,
  options: OperationOptions & {
    /** The `Cache-Control` of the response. */
    readonly cache: CachePolicy
    /** Returns the content; `version` is the API version of the request. */
    readonly render: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly version: number },
    ) => Promise<string | Buffer>
  },
): Route => route('read', 'GET', resource, { ...options, handle: options.render })

interface ListInput<P extends string, F extends TObject> {
  readonly params: PathParams<P>
  readonly filters: Static<F>
  readonly page: ListRequest
}

/** GET of a page of entities: 200 or 304, with pagination, sorting, filters and `Link` (RFC 8288). */
export const list = <E, P extends string, F extends TObject>(
  resource: Collection<E, P>,
  options: OperationOptions & {
    /** The `Cache-Control` of the response. */
    readonly cache: CachePolicy
    /** The query parameters besides those of paging; an invalid or unknown one is 400/4003. */
    readonly filters: F
    /** The values of the `sort` parameter; the first one is the default. */
    readonly sortFields: readonly string[]
    /**
     * The tags by which the response cache drops the page, besides those of its entities. Without
     * this function, pages are not stored there.
     */
    readonly cacheTags?: (input: ListInput<P, F>) => readonly string[]
    /** Returns the entities of the page, the length of the list and the next cursor. */
    readonly find: (ctx: Context, input: ListInput<P, F>) => Promise<PageResult<E>>
  },
): Route => route('list', 'GET', resource, { ...options, handle: options.find })

/**
 * POST: creates an entity. 201 with `Location`, unless the result says otherwise.
 *
 * @example
 * create(notes, {
 *   summary: 'Adds a note.',
 *   access: signedIn('notes:write'),
 *   rate: 'writes',
 *   body: NoteBody,
 *   handle: async ({ db, actor, now }, { body }) =>
 *     created(await insertNote(db, { ...body, user_id: actor.userId }, now)),
 * })
 */
export const create = <E, P extends string, B extends TObject>(
  resource: Collection<E, P> | Singleton<E, P>,
  options: OperationOptions &
    BodyOptions<B> &
    IdempotencyOptions<CreateResult<E>> & {
      /** The schema of the body; 400/4001 for a missing field, 422/4221 for an invalid one. */
      readonly body: B
      /** `one` by default. */
      readonly transactions?: TransactionMode
      /** The statuses that `handle` returns; 201 by default. */
      readonly statuses?: readonly (200 | 201 | 202)[]
      /** Creates the entity; `raw` is the body as the client sent it, for signatures. */
      readonly handle: (
        ctx: Context,
        input: { readonly params: PathParams<P>; readonly body: Static<B>; readonly raw: RawInput },
      ) => HandlerResult<CreateResult<E>>
    },
): Route => route('create', 'POST', resource, { statuses: [201], ...options })

interface ChangeOptions<E, P extends string, B extends TObject>
  extends OperationOptions,
    BodyOptions<B>,
    IdempotencyOptions<E> {
  /** The schema of the body; 400/4001 for a missing field, 422/4221 for an invalid one. */
  readonly body: B
  /** `one` by default. */
  readonly transactions?: TransactionMode
  /** Changes `current`, the loaded entity, and returns its new state. */
  readonly handle: (
    ctx: Context,
    input: { readonly params: PathParams<P>; readonly current: E; readonly body: Static<B> },
  ) => HandlerResult<E>
}

/** PUT: replaces an entity. 200; 412/4121 if `If-Match` fails (RFC 9110 section 13.1.1). */
export const replace = <E, P extends string, B extends TObject>(
  resource: EntityDefinition<E, P>,
  options: ChangeOptions<E, P, B>,
): Route => route('replace', 'PUT', resource, options)

/** PATCH: changes the fields of the body, a JSON Merge Patch (RFC 7396). 200, or 412 as `replace`. */
export const modify = <E, P extends string, B extends TObject>(
  resource: EntityDefinition<E, P>,
  options: ChangeOptions<E, P, B>,
): Route => route('modify', 'PATCH', resource, options)

/** DELETE: removes an entity. 204, also if it is gone already; 412 as `replace`. */
export const remove = <E, P extends string>(
  resource: EntityDefinition<E, P>,
  options: OperationOptions & {
    /** Removes `current`; not called for an entity that is gone. */
    readonly handle: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly current: E },
    ) => Promise<void>
  },
): Route => route('remove', 'DELETE', resource, { ...options, statuses: [204] })
