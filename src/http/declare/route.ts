import type { Static, TObject } from 'typebox'
import type { Raw } from '#http/codec/raw-body.ts'
import type { ListRequest, PageResult } from '#http/response/pages.ts'
import type { ErrorCode } from '#values/error-codes.ts'
import type { Actor } from './caller.ts'
import type { Context } from './context.ts'
import type { Access, Cache, Rate, RouteGuard } from './policy.ts'
import type {
  AnyEntityDefinition,
  AnyResource,
  Collection,
  Document,
  Item,
  PathParams,
  Singleton,
} from './resource.ts'

/** What an operation does to its noun. */
export type OperationKind = 'read' | 'list' | 'create' | 'replace' | 'modify' | 'remove'

interface Policy {
  /** One sentence on what the operation does. */
  readonly summary: string
  readonly access: Access
  readonly rate: Rate
  /** A condition on the request itself. */
  readonly guard?: RouteGuard
  /** Further refusals the handler may give. */
  readonly problems?: readonly ErrorCode[]
  /** Who is answered over plain HTTP whatever is offered beside it: a probe, or a neighbour. */
  readonly overPlainHttp?: 'anybody' | 'loopback'
}

/** What came of a creation. */
export interface Outcome<E> {
  /** 201 new; 200 merged into what was there; 202 taken on, finished later. */
  readonly status: 200 | 201 | 202
  readonly entity: E
}
/** A new entity: 201. */
export const created = <E>(entity: E): Outcome<E> => ({ status: 201, entity })
/** What was there, changed or used: 200. */
export const merged = <E>(entity: E): Outcome<E> => ({ status: 200, entity })
/** A work taken on, finished later: 202. */
export const accepted = <E>(entity: E): Outcome<E> => ({ status: 202, entity })

/**
 * What a handler returns that has to wait for somebody else: `run` is called once the transaction
 * is durable, outside any, and gives the result. If the process dies before, `run` is never
 * called, so what was committed must be enough for somebody to finish the work later. `subject` is
 * what the route's `recall` is given to find out what became of it.
 */
export class AfterCommit<R> {
  readonly subject: number
  readonly run: (ctx: Context) => Promise<R>
  constructor(subject: number, run: (ctx: Context) => Promise<R>) {
    this.subject = subject
    this.run = run
  }
}
type Eventually<R> = Promise<R | AfterCommit<R>>

/**
 * How a write uses the database: in one transaction around everything, or in transactions that the
 * handler opens itself, because it has slow work to do in between.
 */
export type Transactions = 'one' | 'own'

/** What a write does with its body before the transaction begins. */
interface Preparing<B extends TObject> {
  /**
   * Slow work on the body, for which no transaction should wait; what it reads of the database may
   * have changed since. The handler is given what it returns.
   */
  readonly prepareBody?: (
    body: Static<B>,
    ctx: Context,
    params: Readonly<Record<string, number>>,
  ) => Promise<Static<B>>
  /** Whom the caller says it is, where the rate is that of credentials. */
  readonly loginName?: (body: Static<B>, actor: Actor) => string
}

/** How a write answers who sends it again with the same Idempotency-Key. */
interface Repeating<R> {
  /** False where an answer is for one time only: an Idempotency-Key is not looked at then. */
  readonly acceptsIdempotencyKey?: boolean
  /**
   * Tells what became of work after commit that its process may not have lived to finish; refuses
   * as the work would. Undefined where nothing came of it and nothing will, so that the request is
   * run anew.
   */
  readonly resumeResult?: (ctx: Context, subject: number) => Promise<R | undefined>
}

/** A declared operation, with its types erased. */
export interface Route extends Policy, Repeating<unknown> {
  readonly kind: OperationKind
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly resource: AnyResource
  readonly path: string
  readonly cache?: Cache
  readonly body?: TObject
  /** Makes what the handler takes of a body that a version shapes otherwise. */
  readonly accept?: (body: unknown) => unknown
  readonly filters?: TObject
  readonly sorts?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: each verb below restores the precise types
  readonly cacheTags?: (input: any) => readonly string[]
  readonly transactions: Transactions
  /** Statuses that a creation may have. */
  readonly statuses: readonly number[]
  // biome-ignore lint/suspicious/noExplicitAny: each verb below restores the precise types
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
  rest: object,
): Route =>
  ({
    statuses: [200],
    transactions: 'one',
    ...rest,
    kind,
    method,
    resource,
    path: resource.path,
  }) as unknown as Route

/** GET one entity. No handler: the noun knows how to load and present it. */
export const read = (
  resource: AnyEntityDefinition,
  policy: Policy & { readonly cache: Cache },
): Route => route('read', 'GET', resource, policy)

/** GET a document, made by `render`. */
export const serve = <P extends string>(
  resource: Document<P>,
  policy: Policy & {
    readonly cache: Cache
    /** The version is the one to tell of. */
    readonly render: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly version: number },
    ) => Promise<string | Buffer>
  },
): Route =>
  route('read', 'GET', resource, {
    ...policy,
    handle: policy.render,
  })

/** GET a page of entities, filtered and sorted. */
export const list = <E, P extends string, F extends TObject>(
  resource: Collection<E, P>,
  rest: Policy & {
    readonly cache: Cache
    readonly filters: F
    /** The fields it can be sorted by; the first is the default. */
    readonly sorts: readonly string[]
    /** The names of what the page rests on beside its rows; pages without any are not kept ready. */
    readonly cacheTags?: (input: {
      readonly params: PathParams<P>
      readonly filters: Static<F>
      readonly page: ListRequest
    }) => readonly string[]
    readonly find: (
      ctx: Context,
      input: {
        readonly params: PathParams<P>
        readonly filters: Static<F>
        readonly page: ListRequest
      },
    ) => Promise<PageResult<E>>
  },
): Route => route('list', 'GET', resource, { ...rest, handle: rest.find })

/** POST: creates an entity; 201 with Location, unless the outcome says otherwise. */
export const create = <E, P extends string, B extends TObject>(
  resource: Collection<E, P> | Singleton<E, P>,
  rest: Policy &
    Preparing<B> &
    Repeating<Outcome<E>> & {
      readonly body: B
      readonly transactions?: Transactions
      readonly statuses?: readonly (200 | 201 | 202)[]
      readonly handle: (
        ctx: Context,
        input: { readonly params: PathParams<P>; readonly body: Static<B>; readonly raw: Raw },
      ) => Eventually<Outcome<E>>
    },
): Route => route('create', 'POST', resource, { statuses: [201], ...rest })

interface Change<E, P extends string, B extends TObject>
  extends Policy,
    Preparing<B>,
    Repeating<E> {
  readonly body: B
  readonly transactions?: Transactions
  readonly handle: (
    ctx: Context,
    input: { readonly params: PathParams<P>; readonly current: E; readonly body: Static<B> },
  ) => Eventually<E>
}

/** PUT: replaces the whole entity. */
export const replace = <E, P extends string, B extends TObject>(
  resource: EntityDefinition<E, P>,
  rest: Change<E, P, B>,
): Route => route('replace', 'PUT', resource, rest)

/** PATCH: changes the fields sent (RFC 7396). */
export const modify = <E, P extends string, B extends TObject>(
  resource: EntityDefinition<E, P>,
  rest: Change<E, P, B>,
): Route => route('modify', 'PATCH', resource, rest)

/** DELETE: removes the entity; 204, also when it is already removed. */
export const remove = <E, P extends string>(
  resource: EntityDefinition<E, P>,
  rest: Policy & {
    readonly handle: (
      ctx: Context,
      input: { readonly params: PathParams<P>; readonly current: E },
    ) => Promise<void>
  },
): Route => route('remove', 'DELETE', resource, { ...rest, statuses: [204] })
