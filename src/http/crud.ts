import type { TProperties } from 'typebox'
import type { Row } from '#store/columns.ts'
import type { Entity } from '#store/entity.ts'
import type { Scope } from './declare/actor.ts'
import type { Context } from './declare/context.ts'
import { type AccessPolicy, anyUser, type CachePolicy, ownerOrAdmin } from './declare/policy.ts'
import { type AnyEntityDefinition, collection, item, type Link } from './declare/resource.ts'
import { created } from './declare/results.ts'
import { create, list, modify, type Route, read, remove, replace } from './declare/route.ts'

interface CrudOptions<E> {
  /** The path of the collection, such as `/tax-rates`. */
  readonly path: string
  /** Who may read, and who may write; a scope alone stands for owners, each their own, and administrators. */
  readonly reads: AccessPolicy | Scope
  readonly writes: AccessPolicy | Scope
  readonly cache: CachePolicy
  /** What the OpenAPI document says of each operation, as a sentence. */
  readonly summaries: Readonly<
    Record<'list' | 'create' | 'read' | 'replace' | 'modify' | 'remove', string>
  >
  /** Returns values that an entity must have for the caller to see it; by default, `reads` alone decides. */
  readonly visible?: (ctx: Context) => Partial<E>
  /** True if a write locks the entity, because others change it often. */
  readonly locks?: boolean
  /** Returns the fields that are stored for a body, which may change `current`. Throws a problem for invalid ones. */
  readonly complete?: (body: Partial<E>, current?: E) => Partial<E>
  /** Links besides `edit` and `delete`. */
  readonly links?: Readonly<Record<string, Link<E>>>
}

interface StoredEntity {
  readonly id: number
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at?: number | null
}

/** Returns the resource of an entity and of its collection. */
function resourcesOf<F extends TProperties, C extends TProperties>(
  entity: Entity<F, C>,
  { path, visible = () => ({}), locks = false, links }: CrudOptions<Row<C>>,
) {
  type E = Row<C> & StoredEntity
  const { name, description, schema } = entity
  const { owner } = entity.declaration
  const param = `${name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())}Id`
  const find = async (ctx: Context, params: object, locked: boolean) => {
    const where = { id: (params as Readonly<Record<string, number>>)[param] }
    const found = (await entity.find(ctx.db, where as never, { locks: locked })) as E | undefined
    const isVisible = Object.entries(visible(ctx)).every(
      ([field, value]) => found?.[field as keyof E] === value,
    )
    return isVisible ? found : undefined
  }
  const one = item<E, string>({
    name,
    description,
    path: `${path}/:${param}`,
    schema,
    load: (ctx, params) => find(ctx, params, false),
    loadForUpdate: (ctx, params) => find(ctx, params, locks),
    isGone: ({ deleted_at = null }) => deleted_at !== null,
    pathParams: ({ id }) => ({ [param]: id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    ...(owner && { owner: (found) => found[owner.column as keyof E] as number | null }),
    present: (found) => found,
    links: {
      ...links,
      edit: { to: name, operation: 'replace' },
      delete: { to: name, operation: 'remove' },
    },
  })
  return { one, all: collection<E, string>({ name: `${name}s`, path, item: one }) }
}

/** The policies of the routes of the collection and of those of one. */
const policiesOf = (access: AccessPolicy | Scope, one: AnyEntityDefinition) =>
  typeof access === 'string'
    ? { all: anyUser(access), one: ownerOrAdmin(one, access) }
    : { all: access, one: access }

/** Returns how an entity becomes that of a caller, and the condition of those that a caller may list. */
function ownershipOf<F extends TProperties, C extends TProperties>(
  { declaration: { owner } }: Entity<F, C>,
  { reads, visible }: CrudOptions<Row<C>>,
) {
  const ownedBy = ({ actor }: Context) =>
    (owner ? { [owner.column]: actor.userId } : {}) as Partial<Row<C>>
  const listedFor = (ctx: Context) => {
    const isShort = typeof reads === 'string' && ctx.actor.role !== 'admin'
    return { where: visible?.(ctx) ?? (isShort ? ownedBy(ctx) : {}), isShort }
  }
  return { ownedBy, listedFor }
}

/** Returns the routes that list, create, read, replace, modify and remove an entity without rules of its own. */
export function crud<F extends TProperties, C extends TProperties>(
  entity: Entity<F, C>,
  options: CrudOptions<Row<C>>,
): readonly Route[] {
  type E = Row<C> & StoredEntity
  const { one, all } = resourcesOf(entity, options)
  const { cache, summaries } = options
  const complete = (body: object, current?: E): object =>
    options.complete?.(body as Partial<E>, current) ?? body
  const { ownedBy, listedFor } = ownershipOf(entity, options)
  const reads = policiesOf(options.reads, one)
  const writes = policiesOf(options.writes, one)
  const readPolicy = { rateLimit: 'default', cache } as const
  const { create: createProblems, change: changeProblems } = entity.duplicateProblems
  const change = { access: writes.one, rateLimit: 'default' } as const
  const writePolicy = { ...change, problems: changeProblems } as const
  return [
    list(all, {
      summary: summaries.list,
      ...readPolicy,
      access: reads.all,
      filters: entity.filters,
      sortFields: entity.sorts,
      find: async (ctx, { filters, page }) =>
        (await entity.list(ctx.db, { filters, page, ...listedFor(ctx) })) as never,
    }),
    create(all, {
      summary: summaries.create,
      ...writePolicy,
      access: writes.all,
      problems: createProblems,
      body: entity.body,
      handle: async (ctx, { body }) =>
        created(
          (await entity.create(ctx.db, complete(body), ctx.now, ownedBy(ctx))) as unknown as E,
        ),
    }),
    read(one, { summary: summaries.read, ...readPolicy, access: reads.one }),
    replace(one, {
      summary: summaries.replace,
      ...writePolicy,
      body: entity.body,
      handle: async ({ db, now }, { current, body }) =>
        (await entity.replace(db, current, complete(body), now)) as unknown as E,
    }),
    modify(one, {
      summary: summaries.modify,
      ...writePolicy,
      body: entity.patch,
      handle: async ({ db, now }, { current, body }) =>
        (await entity.modify(db, current, complete(body as object, current), now)) as unknown as E,
    }),
    remove(one, {
      summary: summaries.remove,
      ...change,
      handle: ({ db, now }, { current }) => entity.remove(db, current, now),
    }),
  ]
}
