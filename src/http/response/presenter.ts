import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Codec } from '#http/codec/value-codec.ts'
import type { AnyEntityDefinition, Embed, Include } from '#http/declare/resource.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
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
  const hasLinks = !definition.isUnlinked && exchange.representation.format !== 'csv'
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

/** The entities and included rows that are serialized before other requests are served. */
const rowsPerTurn = 200

/** Returns the bodies of entities; serves other requests in between if they include many rows. */
export async function serializeEntities(
  presenter: Presenter,
  entities: readonly unknown[],
  exchange: ValidatedExchange,
  loaded: LoadedIncludes | undefined,
): Promise<object[]> {
  const bodies: object[] = []
  let rows = 0
  for (const entity of entities) {
    bodies.push(serializeEntity(presenter, entity, exchange, loaded))
    rows += 1 + includedRows(entity, loaded)
    if (rows < rowsPerTurn) continue
    rows = 0
    await nextTurn()
  }
  return bodies
}

function includedRows(entity: unknown, loaded: LoadedIncludes | undefined): number {
  let rows = 0
  for (const { related } of loaded?.values() ?? []) rows += [related.get(entity)].flat().length
  return rows
}
