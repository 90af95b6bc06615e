import { hash } from 'node:crypto'
import { compileCodec } from '#http/codec/codec.ts'
import type { Codec, CodecOptions } from '#http/codec/value-codec.ts'
import type { Context } from '#http/declare/context.ts'
import { entityDefinitionNamed, entityDefinitionsOf } from '#http/declare/entities.ts'
import type { FeedPage, ListedPage } from '#http/declare/pages.ts'
import { noStore } from '#http/declare/policy.ts'
import type { Embed } from '#http/declare/related.ts'
import { type AnyEntityDefinition, type Document, definitionOf } from '#http/declare/resource.ts'
import type { CreateResult } from '#http/declare/results.ts'
import type { FileContent, Route, StreamedDocument } from '#http/declare/route.ts'
import { apiKeyField } from '#http/exchange/api-key-location.ts'
import type { CreateRowWriter, ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Response } from '#http/exchange/response.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import {
  type LastModified,
  lastModifiedOf,
  lastModifiedWithEmbedded,
} from '#http/message/last-modified.ts'
import { queryType } from '#http/message/media-type.ts'
import { scriptedPageHeaders } from '#http/message/security-headers.ts'
import { pathOf } from '#http/message/url-path.ts'
import { resourceWord } from '#i18n/message.ts'
import { problem } from '#values/problem.ts'
import { compileRows } from './export/rows.ts'
import {
  compileComputedIncludes,
  compileIncludes,
  includeLoader,
  type LoadComputedIncludes,
  type LoadIncludes,
} from './includes.ts'
import { compileLinks, compilePath } from './links.ts'
import { linkHeader } from './pagination/link-header.ts'
import { describePage } from './pagination/list-pages.ts'
import { paginateFeed } from './pagination/paginate-feed.ts'
import {
  type LoadedIncludes,
  type Presenter,
  type PresenterOf,
  serializeEntity,
} from './presenter.ts'
import { serializePage } from './response-size.ts'
import { SerializedBody } from './serialize.ts'

/** The options of representations. */
export interface RepresentationOptions extends CodecOptions {
  /** The API version of requests that name none. */
  readonly version: number
  /** The name of the field that contains the links. */
  readonly linksField: string
}

/** Turns the result of a handler into a response: status, Location, validators and body. */
type Represent = (exchange: ValidatedExchange, result: unknown) => Promise<Response>

/** How the results of a route become responses. */
interface RouteRepresentation {
  readonly represent: Represent
  /** Writes whole collections. */
  readonly createRowWriter: CreateRowWriter
}

const noRows: CreateRowWriter = () => {
  throw new TypeError('Only collections have rows')
}

/** Compiles how the results of a route become responses. */
export function compileRepresentations(
  routes: readonly Route[],
  representationOptions: RepresentationOptions,
): (route: Route) => RouteRepresentation {
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
      embeds: embeds.map(([name, { resource, many = true, of }]) => ({
        name,
        many,
        of,
        presenter: presenterNamed(resource, definition),
      })),
    }
    cached.set(definition, presenter)
    return presenter
  }
  const definitions = entityDefinitionsOf(routes)
  const presenterNamed = (name: string, user: AnyEntityDefinition) =>
    presenterOf(entityDefinitionNamed(definitions, name, user))
  return (route) => {
    const { resource } = route
    if (resource.kind === 'document') {
      const represent = resource.hasTextId
        ? representFile(resource.name)
        : representDocument(resource, route.cache !== noStore)
      return { represent, createRowWriter: noRows }
    }
    if (route.statuses[0] === 204) {
      const { acceptedAs } = route
      const accepted = acceptedAs && presenterNamed(acceptedAs, definitionOf(resource))
      return { represent: representRemoval(accepted || undefined), createRowWriter: noRows }
    }
    const presenter = presenterOf(definitionOf(resource))
    const { definition } = presenter
    const includes = compileIncludes(definition, definitions, presenterOf)
    const loadIncludes = includeLoader(includes)
    const createRowWriter = compileRows(presenter, loadIncludes, includes)
    if (route.kind === 'list') {
      const codec = route.envelope && compileCodec(route.envelope, representationOptions)
      return { represent: representPage(route, presenter, loadIncludes, codec), createRowWriter }
    }
    if (route.kind === 'follow') return { represent: representFeed(presenter), createRowWriter }
    const loadComputedIncludes = compileComputedIncludes(definition, representationOptions)
    const represent = representOne(route, presenter, loadIncludes, loadComputedIncludes)
    return { represent, createRowWriter: noRows }
  }
}

/** Describes the Link or Location of the responses of a route. */
export function describeLocations({ kind, resource, statuses }: Route): OpenApiFragment {
  const hasLink = kind === 'list' || kind === 'follow' || ('link' in resource && resource.link)
  if (hasLink) return { responseHeaders: ['Link'] }
  const hasLocation = resource.kind === 'collection' || statuses.some((status) => status > 200)
  const isWriteOnly = 'isWriteOnly' in resource && resource.isWriteOnly
  return kind === 'create' && hasLocation && !isWriteOnly ? { responseHeaders: ['Location'] } : {}
}

const representFile =
  (name: string): Represent =>
  async (_, result) => {
    const file = result as FileContent | undefined
    if (!file) throw problem('4041', 'detail.no_resource', { name: resourceWord(name) })
    const { bytes, type, validator, fileName } = file
    const use =
      fileName === undefined
        ? { 'cross-origin-resource-policy': 'cross-origin' }
        : { 'content-disposition': `attachment; filename="${fileName}"` }
    return { status: 200, headers: { 'content-type': type, ...use }, content: bytes, validator }
  }

function representDocument({ mediaType, link }: Document<string>, isReused: boolean): Represent {
  const policy = mediaType.startsWith('text/html') ? scriptedPageHeaders : undefined
  const headers = { 'content-type': mediaType, ...(link && { link }), ...policy }
  const byVersion = new Map<number, { readonly body: SerializedBody; readonly validator: string }>()
  return async ({ version }, result) => {
    if (isStreamed(result)) {
      return { status: 200, headers, download: result.read, validator: result.validator }
    }
    const text = result as string | Buffer
    // Most documents do not change, so they are hashed and compressed once.
    let known = byVersion.get(version)
    if (known?.body.text !== text) {
      const body = new SerializedBody(text, {}, { isReused })
      known = { body, validator: hash('sha1', text, 'base64url') }
      byVersion.set(version, known)
    }
    const { body, validator } = known
    return { status: 200, headers, body: () => body, validator }
  }
}

const isStreamed = (result: unknown): result is StreamedDocument =>
  typeof result === 'object' && result !== null && 'read' in result && 'validator' in result

/** Represents a removal, or the entity that stands for one that continues. */
const representRemoval =
  (accepted: Presenter | undefined): Represent =>
  async (exchange, result) => {
    if (!accepted || result === undefined) return { status: 204, headers: {} }
    const { entity } = result as CreateResult<unknown>
    const path = compilePath(accepted.definition.path)(accepted.definition.pathParams(entity))
    return {
      status: 202,
      headers: { location: exchange.prefix + path },
      body: () => serializeEntity(accepted, entity, exchange, undefined),
    }
  }

const digest = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64url')

const revisionOf = (definition: AnyEntityDefinition, entity: unknown, ctx: Context) => [
  definition.pathParams(entity),
  definition.revision(entity, ctx),
]

const revisionsOf = (definition: AnyEntityDefinition, rows: readonly unknown[], ctx: Context) =>
  rows.map((entity) => revisionOf(definition, entity, ctx))

/** Returns the revisions of the included entities, which are part of the validator. */
const includedRevisions = (loaded: LoadedIncludes, { ctx }: ValidatedExchange) =>
  [...loaded.values()].map(({ presenter, related }) =>
    revisionsOf(presenter.definition, [...related.values()].flat(), ctx),
  )

function lastModifiedFor(
  definition: AnyEntityDefinition,
  entity: unknown,
  { ctx }: ValidatedExchange,
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
    if (route.many && Array.isArray(result)) {
      const data = await serializePage(presenter, result, exchange)
      return { status: 201, headers: {}, body: () => ({ data: data() }) }
    }
    const outcome = route.kind === 'create' ? (result as CreateResult<unknown>) : undefined
    const entity = outcome ? outcome.entity : result
    const status = outcome?.status ?? 200
    const loaded = await loadIncludes(exchange, [entity])
    const computed = await loadComputedIncludes(exchange, entity)
    if (computed) {
      const body = () => ({ ...serializeEntity(presenter, entity, exchange, loaded), ...computed })
      return { status, headers: {}, body, isUnstored: true }
    }
    const revision = String(definition.revision(entity, exchange.ctx))
    if (definition.linkedData && exchange.representation.format === 'ld+json') {
      const { load, cacheTags, present } = definition.linkedData
      const linked: unknown = await load(exchange.ctx, entity)
      return {
        ...{ status, headers: {}, ownerId: definition.owner?.(entity) ?? null },
        validator: `${revision}+${digest(linked)}`,
        cacheTags: () => [...cacheTags, ...(definition.cacheTags?.(entity) ?? [])],
        body: () => present(serializeEntity(presenter, entity, exchange, undefined), linked),
      }
    }
    return {
      status,
      headers:
        (status === 200 && route.resource.kind !== 'collection') || definition.isWriteOnly
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
  envelopeCodec: Codec | undefined,
): Represent {
  const { definition } = presenter
  return async (exchange, result) => {
    const page = result as ListedPage<unknown>
    const { request, ctx, input } = exchange
    const path = pathOf(request.url)
    const loaded = await loadIncludes(exchange, page.rows)
    // Links must not reveal an API key.
    const { [apiKeyField]: _, ...query } = request.query as Record<string, string | string[]>
    const { pagination, links } = describePage(input.page, page, exchange.prefix + path, query)
    const revisions = revisionsOf(definition, page.rows, ctx)
    const included = loaded ? includedRevisions(loaded, exchange) : null
    const envelope = page.envelope && envelopeCodec?.encode(page.envelope)
    const bodies = await serializePage(presenter, page.rows, exchange, loaded)
    return {
      status: 200,
      headers: { 'accept-query': queryType, ...linkHeader(links) },
      validator: digest([revisions, pagination, included, ...(envelope ? [envelope] : [])]),
      cacheTags:
        loaded || !cacheTags
          ? undefined
          : () =>
              cacheTagsOf(cacheTags({ ...input, params: exchange.params }), definition, page.rows),
      body: () => ({ data: bodies(), pagination, ...(envelope as object | undefined) }),
    }
  }
}

function representFeed(presenter: Presenter): Represent {
  const { definition } = presenter
  return async (exchange, result) => {
    const page = result as FeedPage<unknown>
    const { pagination, links } = paginateFeed(exchange, page)
    const revisions = revisionsOf(definition, page.rows, exchange.ctx)
    const bodies = await serializePage(presenter, page.rows, exchange)
    return {
      status: 200,
      headers: { 'accept-query': queryType, ...linkHeader(links) },
      validator: digest([revisions, pagination]),
      body: () => ({ data: bodies(), pagination }),
    }
  }
}
