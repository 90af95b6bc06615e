import { hash } from 'node:crypto'
import { type CodecOptions, compileCodec } from '#http/codec/codec.ts'
import type { Context } from '#http/declare/context.ts'
import { entityDefinitionNamed, entityDefinitionsOf } from '#http/declare/entities.ts'
import { type AnyEntityDefinition, definitionOf, type Embed } from '#http/declare/resource.ts'
import type { CreateResult, Route } from '#http/declare/route.ts'
import type { WithInput } from '#http/pipeline/exchange.ts'
import { apiKeyField } from '#http/pipeline/guards/api-key-location.ts'
import { isValidated } from '#http/pipeline/middleware/conditional.ts'
import {
  type LastModified,
  lastModifiedOf,
  lastModifiedWithEmbedded,
} from '#http/pipeline/middleware/last-modified.ts'
import type { Response } from '#http/pipeline/response.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import {
  compileComputedIncludes,
  compileIncludes,
  type LoadComputedIncludes,
  type LoadIncludes,
} from './includes.ts'
import { compileLinks, compilePath } from './links.ts'
import { type PageResult, paginate } from './pages.ts'
import {
  type LoadedIncludes,
  type Presenter,
  type PresenterOf,
  serializeEntity,
} from './presenter.ts'
import { scriptedPageHeaders } from './security-headers.ts'
import { SerializedBody } from './serialize.ts'

/** The options of representations. */
export interface RepresentationOptions extends CodecOptions {
  /** The API version of requests that name none. */
  readonly version: number
  /** The name of the field that contains the links. */
  readonly linksField: string
}

/** Turns the result of a handler into a response: status, Location, validators and body. */
type Represent = (exchange: WithInput, result: unknown) => Promise<Response>

/** Compiles a function that turns the result of a route into a response. */
export function compileRepresentations(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
): (route: Route) => Represent {
  const cached = new Map<AnyEntityDefinition, Presenter>()
  const presenterOf: PresenterOf = (definition) => {
    const known = cached.get(definition)
    if (known) return known
    const embeds = Object.entries((definition.embeds ?? {}) as Record<string, Embed<unknown>>)
    const presenter = {
      definition,
      codec: compileCodec(definition.schema, representationOptions),
      links: compileLinks(definition, routes),
      linksField: representationOptions.linksField,
      embeds: embeds.map(([name, { resource, of }]) => ({
        name,
        of,
        presenter: presenterOf(entityDefinitionNamed(definitions, resource, definition)),
      })),
    }
    cached.set(definition, presenter)
    return presenter
  }
  const definitions = entityDefinitionsOf(routes)
  return (route) => {
    const { resource } = route
    if (resource.kind === 'document')
      return representDocument(resource.mediaType, isValidated(route))
    if (route.kind === 'remove') return async () => ({ status: 204, headers: {} })
    const presenter = presenterOf(definitionOf(resource))
    const loadIncludes = compileIncludes(presenter.definition, definitions, presenterOf)
    if (route.kind === 'list') return representPage(route, presenter, loadIncludes)
    const loadComputedIncludes = compileComputedIncludes(
      presenter.definition,
      representationOptions,
    )
    return representOne(route, presenter, loadIncludes, loadComputedIncludes)
  }
}

/** Describes the Link or Location of the responses of a route. */
export function describeLocations({ kind, resource, statuses }: Route): OpenApiFragment {
  if (kind === 'list') return { responseHeaders: ['Link'] }
  const hasLocation = resource.kind === 'collection' || statuses.some((status) => status > 200)
  return kind === 'create' && hasLocation ? { responseHeaders: ['Location'] } : {}
}

function representDocument(mediaType: string, hasValidator: boolean): Represent {
  const policy = mediaType.startsWith('text/html') ? scriptedPageHeaders : undefined
  const headers = { 'content-type': mediaType, ...policy }
  const byVersion = new Map<number, { readonly body: SerializedBody; readonly validator: string }>()
  return async ({ version }, result) => {
    const text = result as string | Buffer
    if (!hasValidator) return { status: 200, headers, body: () => text }
    // Most documents do not change, so they are hashed and compressed once.
    let known = byVersion.get(version)
    if (known?.body.text !== text) {
      const body = new SerializedBody(text, {}, { isReused: true })
      known = { body, validator: hash('sha1', text, 'base64url') }
      byVersion.set(version, known)
    }
    const { body, validator } = known
    return { status: 200, headers, body: () => body, validator }
  }
}

const digest = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url')

const revisionOf = (definition: AnyEntityDefinition, entity: unknown, ctx: Context) => [
  definition.pathParams(entity),
  definition.revision(entity, ctx),
]

/** Returns the revisions of the included entities, which are part of the validator. */
const includedRevisions = (loaded: LoadedIncludes, { ctx }: WithInput) =>
  [...loaded.values()].map(({ presenter, related }) =>
    [...related.values()].flat().map((child) => revisionOf(presenter.definition, child, ctx)),
  )

function lastModifiedFor(
  definition: AnyEntityDefinition,
  entity: unknown,
  { ctx }: WithInput,
  loaded: LoadedIncludes | undefined,
): LastModified | undefined {
  const own = definition.changedAt?.(entity, ctx)
  if (!own || !loaded) return own && lastModifiedOf(own, ctx.now)
  const included = [...loaded.values()].flatMap(({ presenter, related }) =>
    [...related.values()]
      .flat()
      .flatMap((child) => presenter.definition.changedAt?.(child, ctx) ?? []),
  )
  return lastModifiedWithEmbedded([...own, ...included], ctx.now)
}

function representOne(
  route: Route,
  presenter: Presenter,
  loadIncludes: LoadIncludes,
  loadComputedIncludes: LoadComputedIncludes,
): Represent {
  const { definition } = presenter
  const pathOf = compilePath(definition.path)
  return async (exchange, result) => {
    const outcome = route.kind === 'create' ? (result as CreateResult<unknown>) : undefined
    const entity = outcome ? outcome.entity : result
    const status = outcome?.status ?? 200
    const loaded = await loadIncludes(exchange, [entity])
    const computed = await loadComputedIncludes(exchange, entity)
    if (computed) {
      const body = () => ({
        ...serializeEntity(presenter, entity, exchange, loaded),
        ...computed,
      })
      return { status, headers: {}, body, isUnstored: true }
    }
    const revision = String(definition.revision(entity, exchange.ctx))
    return {
      status,
      headers:
        status === 200 && route.resource.kind !== 'collection'
          ? {}
          : { location: exchange.prefix + pathOf(definition.pathParams(entity)) },
      ownerId: definition.owner?.(entity) ?? null,
      validator: loaded ? `${revision}+${digest(includedRevisions(loaded, exchange))}` : revision,
      lastModified: lastModifiedFor(definition, entity, exchange, loaded),
      cacheTags: loaded ? undefined : () => definition.cacheTags?.(entity),
      body: () => serializeEntity(presenter, entity, exchange, loaded),
    }
  }
}

const cacheTagsOf = (
  tags: readonly string[],
  definition: AnyEntityDefinition,
  rows: readonly unknown[],
) => [...new Set([...tags, ...rows.flatMap((entity) => definition.cacheTags?.(entity) ?? [])])]

function representPage(
  { cacheTags }: Route,
  presenter: Presenter,
  loadIncludes: LoadIncludes,
): Represent {
  const { definition } = presenter
  return async (exchange, result) => {
    const page = result as PageResult<unknown>
    const { request, ctx, input } = exchange
    const [path = ''] = request.url.split('?', 1)
    const loaded = await loadIncludes(exchange, page.rows)
    // Links must not reveal an API key.
    const { [apiKeyField]: _, ...query } = request.query as Record<string, string>
    const { pagination, link } = paginate(input.page, page, exchange.prefix + path, query)
    const revisions = page.rows.map((entity: unknown) => revisionOf(definition, entity, ctx))
    const included = loaded ? includedRevisions(loaded, exchange) : null
    return {
      status: 200,
      headers: { link },
      validator: digest([revisions, pagination, included]),
      cacheTags:
        loaded || !cacheTags
          ? undefined
          : () =>
              cacheTagsOf(cacheTags({ ...input, params: exchange.params }), definition, page.rows),
      body: () => ({
        data: page.rows.map((entity: unknown) =>
          serializeEntity(presenter, entity, exchange, loaded),
        ),
        pagination,
      }),
    }
  }
}
