import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Codec } from '#http/codec/value-codec.ts'
import type { Embed, Include } from '#http/declare/related.ts'
import type { AnyEntityDefinition } from '#http/declare/resource.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import { isTable } from '#http/message/media-type.ts'
import type { BuildLinks } from './links.ts'

/** What represents the entities of one definition. */
export interface Presenter {
  readonly definition: AnyEntityDefinition
  readonly codec: Codec
  readonly links: BuildLinks
  readonly linksField: string
  readonly embeds: readonly {
    readonly name: string
    readonly many: boolean
    readonly of: Embed<unknown>['of']
    readonly presenter: Presenter
  }[]
}

/** Finds the presenter of a definition. */
export type PresenterOf = (definition: AnyEntityDefinition) => Presenter
/** The entities loaded by each include, by its name. */
export type LoadedIncludes = ReadonlyMap<
  string,
  {
    readonly include: Include<unknown>
    readonly presenter: Presenter
    readonly related: ReadonlyMap<unknown, unknown>
  }
>

/** Returns the body of an entity: its fields, embeds, includes and links. */
export function serializeEntity(
  { definition, codec, links, linksField, embeds }: Presenter,
  entity: unknown,
  exchange: ValidatedExchange,
  loaded?: LoadedIncludes,
): object {
  const body = codec.encode(definition.present(entity, exchange.ctx)) as Record<string, unknown>
  for (const { name, many, of, presenter } of embeds) {
    const embedded = of(entity)
    const viewer = asSignedIn(definition, entity, exchange)
    const serialize = (child: unknown) => serializeEntity(presenter, child, viewer)
    body[name] = many ? (embedded as unknown[]).map(serialize) : serialize(embedded)
  }
  if (loaded) {
    for (const [name, { include, presenter, related }] of loaded) {
      const found = related.get(entity)
      const serialize = (child: unknown) => serializeEntity(presenter, child, exchange)
      if (include.many) body[name] = ((found ?? []) as unknown[]).map(serialize)
      else body[name] = found === undefined ? null : serialize(found)
    }
  }
  const hasLinks = !definition.isUnlinked && !isTable(exchange.representation)
  if (hasLinks) body[linksField] = links(entity, exchange)
  return body
}

/** The exchange as of the user whom the response signs in, if it does: the links are for them. */
function asSignedIn(
  { signedInActor }: AnyEntityDefinition,
  entity: unknown,
  exchange: ValidatedExchange,
): ValidatedExchange {
  if (!signedInActor) return exchange
  const actor = signedInActor(entity)
  return { ...exchange, actor, ctx: { ...exchange.ctx, actor } }
}

/** The weight of the rows that are serialized before other requests are served. */
const weightPerTurn = 100_000
/** The weight of a row without its texts: its names, numbers and links. */
const weightOfRow = 500

/** Returns about how many bytes a row has in a response. */
export function weightOf(row: unknown): number {
  let weight = weightOfRow
  for (const value of Object.values(row as object)) {
    if (typeof value === 'string') weight += value.length
  }
  return weight
}

/** Returns the bodies of entities one by one; serves other requests in between where they are large. */
export async function* serializeEntities(
  presenter: Presenter,
  entities: readonly unknown[],
  exchange: ValidatedExchange,
  loaded: LoadedIncludes | undefined,
): AsyncGenerator<object> {
  let weight = 0
  for (const entity of entities) {
    yield serializeEntity(presenter, entity, exchange, loaded)
    weight += weightWithIncludes(entity, loaded)
    if (weight < weightPerTurn) continue
    weight = 0
    await nextTurn()
  }
}

/** Returns the weight of an entity and of what is included in it. */
export function weightWithIncludes(entity: unknown, loaded: LoadedIncludes | undefined): number {
  let weight = weightOf(entity)
  for (const { related } of loaded?.values() ?? []) {
    for (const child of [related.get(entity) ?? []].flat()) weight += weightOf(child)
  }
  return weight
}
