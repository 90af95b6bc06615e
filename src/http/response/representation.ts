import { hash } from 'node:crypto'
import { type Codec, type CodecOptions, compileCodec } from '#http/codec/codec.ts'
import type { Context } from '#http/declare/context.ts'
import {
  type EntityDefinitions,
  entityDefinitionNamed,
  entityDefinitionsOf,
} from '#http/declare/entities.ts'
import type {
  AnyEntityDefinition,
  ComputedInclude,
  Embed,
  Include,
} from '#http/declare/resource.ts'
import type { Outcome, Route } from '#http/declare/route.ts'
import type { WithInput } from '#http/pipeline/exchange.ts'
import { requireScope } from '#http/pipeline/guards/access.ts'
import { keyName } from '#http/pipeline/guards/api-key-location.ts'
import { isValidated } from '#http/pipeline/middleware/conditional.ts'
import {
  type LastModified,
  lastModifiedOf,
  lastModifiedWith,
} from '#http/pipeline/middleware/last-modified.ts'
import type { Response } from '#http/pipeline/response.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import { compileLinks, compilePath, type Linker } from './links.ts'
import { type PageResult, paginate } from './pages.ts'
import { pagePolicy } from './security-headers.ts'
import { SerializedBody } from './serialize.ts'

/** How answers are dressed. */
export interface RepresentationOptions extends CodecOptions {
  /** The version of the API where a request names none. */
  readonly version: number
  /** The name of the container of links. */
  readonly linksField: string
}

interface Presenter {
  readonly definition: AnyEntityDefinition
  readonly codec: Codec
  readonly links: Linker
  readonly embeds: readonly {
    readonly name: string
    readonly of: Embed<unknown>['of']
    readonly presenter: Presenter
  }[]
}

type Presenters = (definition: AnyEntityDefinition) => Presenter
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
export type Represent = (exchange: WithInput, result: unknown) => Promise<Response>

/** Compiles, for every route, how its result becomes an answer. */
export function compilePresentation(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
): (route: Route) => Represent {
  const kept = new Map<AnyEntityDefinition, Presenter>()
  const presenters: Presenters = (definition) => {
    const known = kept.get(definition)
    if (known) return known
    const embeds = Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>)
    const presenter = {
      definition,
      codec: compileCodec(definition.schema, representationOptions),
      links: compileLinks(definition, routes),
      embeds: embeds.map(([name, { resource, of }]) => ({
        name,
        of,
        presenter: presenters(entityDefinitionNamed(definitions, resource, definition)),
      })),
    }
    kept.set(definition, presenter)
    return presenter
  }
  const definitions = entityDefinitionsOf(routes)
  return (route) => {
    const { resource } = route
    if (resource.kind === 'document')
      return representDocument(resource.mediaType, isValidated(route))
    if (route.kind === 'remove') return async () => ({ status: 204, headers: {} })
    const presenter = presenters(resource.kind === 'collection' ? resource.item : resource)
    const includes = compileIncludes(presenter.definition, definitions, presenters)
    return route.kind === 'list'
      ? representPage(route, presenter, includes, representationOptions)
      : representOne(
          route,
          presenter,
          {
            includes,
            computedIncludes: compileComputedIncludes(presenter.definition, representationOptions),
          },
          representationOptions,
        )
  }
}

/** What the answers of a route lead to beside their links. */
export function describeLocations({ kind, resource, statuses }: Route): OpenApiFragment {
  if (kind === 'list') return { responseHeaders: ['Link'] }
  const leads = resource.kind === 'collection' || statuses.some((status) => status > 200)
  return kind === 'create' && leads ? { responseHeaders: ['Location'] } : {}
}

function representDocument(mediaType: string, validated: boolean): Represent {
  const policy = mediaType.startsWith('text/html') ? pagePolicy : undefined
  const headers = { 'content-type': mediaType, ...policy }
  const byVersion = new Map<number, { readonly body: SerializedBody; readonly validator: string }>()
  return async ({ version }, result) => {
    const text = result as string | Buffer
    if (!validated) return { status: 200, headers, body: () => text }
    // Most documents stay the same: they are hashed and compressed once.
    let known = byVersion.get(version)
    if (known?.body.text !== text) {
      const body = new SerializedBody(text, {}, { isLasting: true })
      known = { body, validator: hash('sha1', text, 'base64url') }
      byVersion.set(version, known)
    }
    const { body, validator } = known
    return { status: 200, headers, body: () => body, validator }
  }
}

type Includer = (exchange: WithInput, entities: readonly unknown[]) => Promise<Loaded | undefined>

/** Resolves the nouns that a thing can embed; each asked for costs one query. */
function compileIncludes(
  definition: AnyEntityDefinition,
  definitions: EntityDefinitions,
  presenters: Presenters,
): Includer {
  const known = new Map(
    Object.entries((definition.includes ?? {}) as Record<string, Include<unknown>>).map(
      ([name, include]) => {
        const presenter = presenters(
          entityDefinitionNamed(definitions, include.resource, definition),
        )
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

type ComputedIncluder = (exchange: WithInput, entity: unknown) => Promise<object | undefined>

/** Resolves what can be told with one entity; refused with 403 where the credential is too narrow. */
function compileComputedIncludes(
  { computedIncludes = {} }: AnyEntityDefinition,
  representationOptions: RepresentationOptions,
): ComputedIncluder {
  const known = Object.entries(computedIncludes as Record<string, ComputedInclude<unknown>>).map(
    ([name, computedInclude]) => ({
      name,
      computedInclude,
      codec: compileCodec(computedInclude.schema, representationOptions),
    }),
  )
  return async ({ ctx, input }, entity) => {
    const asked = known.filter(({ name }) => input.include.includes(name))
    if (asked.length === 0) return undefined
    for (const scope of asked.flatMap(({ computedInclude }) => computedInclude.scopes)) {
      requireScope(scope, ctx.actor)
    }
    const told: Record<string, unknown> = {}
    for (const { name, computedInclude, codec } of asked) {
      told[name] = codec.encode(await computedInclude.load(ctx, entity))
    }
    return told
  }
}

function tell(
  { definition, codec, links, embeds }: Presenter,
  entity: unknown,
  exchange: WithInput,
  representationOptions: RepresentationOptions,
  loaded?: Loaded,
): object {
  const body = codec.encode(definition.present(entity, exchange.ctx)) as Record<string, unknown>
  for (const { name, of, presenter } of embeds) {
    body[name] = of(entity).map((child) => tell(presenter, child, exchange, representationOptions))
  }
  if (loaded) {
    for (const [name, { include, presenter, of }] of loaded) {
      const related = of.get(entity)
      const one = (child: unknown) => tell(presenter, child, exchange, representationOptions)
      if (include.many) body[name] = ((related ?? []) as unknown[]).map(one)
      else body[name] = related === undefined ? null : one(related)
    }
  }
  body[representationOptions.linksField] = links(entity, exchange)
  return body
}

const digest = (told: unknown): string => hash('sha1', JSON.stringify(told), 'base64url')

const revisionTag = (definition: AnyEntityDefinition, entity: unknown, ctx: Context) => [
  definition.pathParams(entity),
  definition.revision(entity, ctx),
]

/** The revisions of everything embedded, which are part of the state that a validator names. */
const revisionTags = (loaded: Loaded, { ctx }: WithInput) =>
  [...loaded.values()].map(({ presenter, of }) =>
    [...of.values()].flat().map((child) => revisionTag(presenter.definition, child, ctx)),
  )

function dateOf(
  definition: AnyEntityDefinition,
  entity: unknown,
  { ctx }: WithInput,
  loaded: Loaded | undefined,
): LastModified | undefined {
  const own = definition.changedAt?.(entity, ctx)
  if (!own || !loaded) return own && lastModifiedOf(own, ctx.now)
  const others = [...loaded.values()].flatMap(({ presenter, of }) =>
    [...of.values()].flat().flatMap((child) => presenter.definition.changedAt?.(child, ctx) ?? []),
  )
  return lastModifiedWith([...own, ...others], ctx.now)
}

function representOne(
  route: Route,
  presenter: Presenter,
  {
    includes,
    computedIncludes,
  }: { readonly includes: Includer; readonly computedIncludes: ComputedIncluder },
  representationOptions: RepresentationOptions,
): Represent {
  const { definition } = presenter
  const pathParams = compilePath(definition.path)
  return async (exchange, result) => {
    const outcome = route.kind === 'create' ? (result as Outcome<unknown>) : undefined
    const entity = outcome ? outcome.entity : result
    const status = outcome?.status ?? 200
    const loaded = await includes(exchange, [entity])
    const computedInclude = await computedIncludes(exchange, entity)
    if (computedInclude) {
      const body = () => ({
        ...tell(presenter, entity, exchange, representationOptions, loaded),
        ...computedInclude,
      })
      return { status, headers: {}, body, isUnstored: true }
    }
    const revision = String(definition.revision(entity, exchange.ctx))
    return {
      status,
      headers:
        status === 200 && route.resource.kind !== 'collection'
          ? {}
          : { location: exchange.prefix + pathParams(definition.pathParams(entity)) },
      ownerId: definition.owner?.(entity) ?? null,
      validator: loaded ? `${revision}+${digest(revisionTags(loaded, exchange))}` : revision,
      lastModified: dateOf(definition, entity, exchange, loaded),
      cacheTags: loaded ? undefined : () => definition.cacheTags?.(entity),
      body: () => tell(presenter, entity, exchange, representationOptions, loaded),
    }
  }
}

const namesOf = (
  names: readonly string[],
  definition: AnyEntityDefinition,
  rows: readonly unknown[],
) => [...new Set([...names, ...rows.flatMap((entity) => definition.cacheTags?.(entity) ?? [])])]

function representPage(
  { cacheTags }: Route,
  presenter: Presenter,
  includes: Includer,
  representationOptions: RepresentationOptions,
): Represent {
  const { definition } = presenter
  return async (exchange, result) => {
    const page = result as PageResult<unknown>
    const { request, ctx, input } = exchange
    const [path = ''] = request.url.split('?', 1)
    const loaded = await includes(exchange, page.rows)
    // Links are passed on, and an API key is not to be.
    const { [keyName]: _, ...query } = request.query as Record<string, string>
    const told = paginate(input.page, page, exchange.prefix + path, query)
    const revisions = page.rows.map((entity: unknown) => revisionTag(definition, entity, ctx))
    const embedded = loaded ? revisionTags(loaded, exchange) : null
    return {
      status: 200,
      headers: { link: told.link },
      validator: digest([revisions, told.pagination, embedded]),
      cacheTags:
        loaded || !cacheTags
          ? undefined
          : () => namesOf(cacheTags({ ...input, params: exchange.params }), definition, page.rows),
      body: () => ({
        data: page.rows.map((entity: unknown) =>
          tell(presenter, entity, exchange, representationOptions, loaded),
        ),
        pagination: told.pagination,
      }),
    }
  }
}
