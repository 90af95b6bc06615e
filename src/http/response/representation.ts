import { hash } from 'node:crypto'
import { type Codec, compileCodec, type Dialect } from '#http/codec/codec.ts'
import type { Context } from '#http/declare/context.ts'
import { type Things, thingNamed, thingsOf } from '#http/declare/entities.ts'
import type { Outcome, Route } from '#http/declare/operation.ts'
import type { AnyThing, Embed, Include, Supplement } from '#http/declare/resource.ts'
import type { Answer, Exchange, Says } from '#http/pipeline/exchange.ts'
import { requireScope } from '#http/pipeline/guards/access.ts'
import { keyName } from '#http/pipeline/guards/api-key-location.ts'
import { isValidated } from '#http/pipeline/middleware/conditional.ts'
import {
  type LastModified,
  lastModifiedOf,
  lastModifiedWith,
} from '#http/pipeline/middleware/last-modified.ts'
import { compileLinks, compilePath, type Linker } from './links.ts'
import { type PageResult, tellPages } from './pages.ts'
import { pagePolicy } from './security-headers.ts'

/** How answers are dressed. */
export interface Dress extends Dialect {
  /** The version of the API where a request names none. */
  readonly version: number
  /** The name of the container of links. */
  readonly linksField: string
}

interface Presenter {
  readonly thing: AnyThing
  readonly codec: Codec
  readonly links: Linker
  readonly embeds: readonly {
    readonly name: string
    readonly of: Embed<unknown>['of']
    readonly presenter: Presenter
  }[]
}

type Presenters = (thing: AnyThing) => Presenter
/** What was loaded to be embedded, by the name of the include. */
type Loaded = ReadonlyMap<
  string,
  {
    readonly include: Include<unknown>
    readonly presenter: Presenter
    readonly of: ReadonlyMap<unknown, unknown>
  }
>

/** Makes answers of what handlers return: status, Location, validators, page links and body. */
export type Represent = (exchange: Exchange, result: unknown) => Promise<Answer>

/** Compiles, for every route, how its result becomes an answer. */
export function compilePresentation(
  routes: readonly Route[],
  dress: Dress,
): (route: Route) => Represent {
  const kept = new Map<AnyThing, Presenter>()
  const presenters: Presenters = (thing) => {
    const known = kept.get(thing)
    if (known) return known
    const embeds = Object.entries((thing.embeds ?? {}) as Record<string, Embed<unknown>>)
    const presenter = {
      thing,
      codec: compileCodec(thing.schema, dress),
      links: compileLinks(thing, routes),
      embeds: embeds.map(([name, { noun, of }]) => ({
        name,
        of,
        presenter: presenters(thingNamed(things, noun, thing)),
      })),
    }
    kept.set(thing, presenter)
    return presenter
  }
  const things = thingsOf(routes)
  return (route) => {
    const { noun } = route
    if (noun.kind === 'document') return representDocument(noun.mediaType, isValidated(route))
    if (route.verb === 'remove') return async () => ({ status: 204, headers: {} })
    const presenter = presenters(noun.kind === 'collection' ? noun.item : noun)
    const includes = compileIncludes(presenter.thing, things, presenters)
    return route.verb === 'list'
      ? representPage(route, presenter, includes, dress)
      : representOne(
          route,
          presenter,
          { includes, supplements: compileSupplements(presenter.thing, dress) },
          dress,
        )
  }
}

/** What the answers of a route lead to beside their links. */
export function sayPlaces({ verb, noun, statuses }: Route): Says {
  if (verb === 'list') return { responseHeaders: ['Link'] }
  const leads = noun.kind === 'collection' || statuses.some((status) => status > 200)
  return verb === 'create' && leads ? { responseHeaders: ['Location'] } : {}
}

function representDocument(mediaType: string, validated: boolean): Represent {
  const policy = mediaType.startsWith('text/html') ? pagePolicy : undefined
  const headers = { 'content-type': mediaType, ...policy }
  let last: { readonly text: unknown; readonly validator: string } | undefined
  return async (_, text) => {
    const answer = { status: 200, headers, body: () => text }
    if (!validated) return answer
    // A document that stays the same is the same text, and need not be read again.
    if (last?.text !== text) {
      last = { text, validator: hash('sha1', text as string | Buffer, 'base64url') }
    }
    return { ...answer, validator: last?.validator }
  }
}

type Includer = (exchange: Exchange, entities: readonly unknown[]) => Promise<Loaded | undefined>

/** Resolves the nouns that a thing can embed; each asked for costs one query. */
function compileIncludes(thing: AnyThing, things: Things, presenters: Presenters): Includer {
  const known = new Map(
    Object.entries((thing.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, include]) => {
        const presenter = presenters(thingNamed(things, include.noun, thing))
        return [name, { include, presenter }] as const
      },
    ),
  )
  return async ({ ctx, input }, entities) => {
    if (input.include.length === 0) return undefined
    const loaded = new Map()
    for (const name of input.include) {
      const entry = known.get(name)
      if (entry) loaded.set(name, { ...entry, of: await entry.include.load(ctx, entities) })
    }
    return loaded
  }
}

type Supplementer = (exchange: Exchange, entity: unknown) => Promise<object | undefined>

/** Resolves what can be told with one entity; refused with 403 where the credential is too narrow. */
function compileSupplements({ supplements = {} }: AnyThing, dress: Dress): Supplementer {
  const known = Object.entries(supplements as Record<string, Supplement<unknown>>).map(
    ([name, supplement]) => ({ name, supplement, codec: compileCodec(supplement.schema, dress) }),
  )
  return async ({ ctx, input }, entity) => {
    const asked = known.filter(({ name }) => input.include.includes(name))
    if (asked.length === 0) return undefined
    for (const scope of asked.flatMap(({ supplement }) => supplement.scopes)) {
      requireScope(scope, ctx.actor)
    }
    const told: Record<string, unknown> = {}
    for (const { name, supplement, codec } of asked) {
      told[name] = codec.encode(await supplement.load(ctx, entity))
    }
    return told
  }
}

function tell(
  { thing, codec, links, embeds }: Presenter,
  entity: unknown,
  exchange: Exchange,
  dress: Dress,
  loaded?: Loaded,
): object {
  const body = codec.encode(thing.present(entity, exchange.ctx)) as Record<string, unknown>
  for (const { name, of, presenter } of embeds) {
    body[name] = of(entity).map((child) => tell(presenter, child, exchange, dress))
  }
  if (loaded) {
    for (const [name, { include, presenter, of }] of loaded) {
      const related = of.get(entity)
      const one = (child: unknown) => tell(presenter, child, exchange, dress)
      if (include.many) body[name] = ((related ?? []) as unknown[]).map(one)
      else body[name] = related === undefined ? null : one(related)
    }
  }
  body[dress.linksField] = links(entity, exchange)
  return body
}

const digest = (told: unknown): string => hash('sha1', JSON.stringify(told), 'base64url')

const tellRevision = (thing: AnyThing, entity: unknown, ctx: Context) => [
  thing.locate(entity),
  thing.revision(entity, ctx),
]

/** The revisions of everything embedded, which are part of the state that a validator names. */
const tellRevisions = (loaded: Loaded, { ctx }: Exchange) =>
  [...loaded.values()].map(({ presenter, of }) =>
    [...of.values()].flat().map((child) => tellRevision(presenter.thing, child, ctx)),
  )

function dateOf(
  thing: AnyThing,
  entity: unknown,
  { ctx }: Exchange,
  loaded: Loaded | undefined,
): LastModified | undefined {
  const own = thing.changedAt?.(entity, ctx)
  if (!own || !loaded) return own && lastModifiedOf(own, ctx.now)
  const others = [...loaded.values()].flatMap(({ presenter, of }) =>
    [...of.values()].flat().flatMap((child) => presenter.thing.changedAt?.(child, ctx) ?? []),
  )
  return lastModifiedWith([...own, ...others], ctx.now)
}

function representOne(
  route: Route,
  presenter: Presenter,
  { includes, supplements }: { readonly includes: Includer; readonly supplements: Supplementer },
  dress: Dress,
): Represent {
  const { thing } = presenter
  const locate = compilePath(thing.path)
  return async (exchange, result) => {
    const outcome = route.verb === 'create' ? (result as Outcome<unknown>) : undefined
    const entity = outcome ? outcome.entity : result
    const status = outcome?.status ?? 200
    const loaded = await includes(exchange, [entity])
    const supplement = await supplements(exchange, entity)
    if (supplement) {
      const body = () => ({ ...tell(presenter, entity, exchange, dress, loaded), ...supplement })
      return { status, headers: {}, body, isUnstored: true }
    }
    const revision = String(thing.revision(entity, exchange.ctx))
    return {
      status,
      headers:
        status === 200 && route.noun.kind !== 'collection'
          ? {}
          : { location: exchange.prefix + locate(thing.locate(entity)) },
      ownerId: thing.owner?.(entity) ?? null,
      validator: loaded ? `${revision}+${digest(tellRevisions(loaded, exchange))}` : revision,
      lastModified: dateOf(thing, entity, exchange, loaded),
      restsOn: loaded ? undefined : () => thing.restsOn?.(entity),
      body: () => tell(presenter, entity, exchange, dress, loaded),
    }
  }
}

const namesOf = (names: readonly string[], thing: AnyThing, rows: readonly unknown[]) => [
  ...new Set([...names, ...rows.flatMap((entity) => thing.restsOn?.(entity) ?? [])]),
]

function representPage(
  { restsOn }: Route,
  presenter: Presenter,
  includes: Includer,
  dress: Dress,
): Represent {
  const { thing } = presenter
  return async (exchange, result) => {
    const page = result as PageResult<unknown>
    const { request, ctx, input } = exchange
    const [path = ''] = request.url.split('?', 1)
    const loaded = await includes(exchange, page.rows)
    // Links are passed on, and an API key is not to be.
    const { [keyName]: _, ...query } = request.query as Record<string, string>
    const told = tellPages(input.page, page, exchange.prefix + path, query)
    const revisions = page.rows.map((entity: unknown) => tellRevision(thing, entity, ctx))
    const embedded = loaded ? tellRevisions(loaded, exchange) : null
    return {
      status: 200,
      headers: { link: told.link },
      validator: digest([revisions, told.pagination, embedded]),
      restsOn:
        loaded || !restsOn
          ? undefined
          : () => namesOf(restsOn({ ...input, params: exchange.params }), thing, page.rows),
      body: () => ({
        data: page.rows.map((entity: unknown) => tell(presenter, entity, exchange, dress, loaded)),
        pagination: told.pagination,
      }),
    }
  }
}
