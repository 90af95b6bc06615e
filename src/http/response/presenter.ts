import type { Codec } from '#http/codec/codec.ts'
import type { AnyEntityDefinition, Embed, Include } from '#http/declare/resource.ts'
import type { WithInput } from '#http/pipeline/exchange.ts'
import type { BuildLinks } from './links.ts'

/** What represents the entities of one definition. */
export interface Presenter {
  readonly definition: AnyEntityDefinition
  readonly codec: Codec
  readonly links: BuildLinks
  readonly linksField: string
  readonly embeds: readonly {
    readonly name: string
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
  exchange: WithInput,
  loaded?: LoadedIncludes,
): object {
  const body = codec.encode(definition.present(entity, exchange.ctx)) as Record<string, unknown>
  for (const { name, of, presenter } of embeds) {
    body[name] = of(entity).map((child) => serializeEntity(presenter, child, exchange))
  }
  if (loaded) {
    for (const [name, { include, presenter, related }] of loaded) {
      const found = related.get(entity)
      const serialize = (child: unknown) => serializeEntity(presenter, child, exchange)
      if (include.many) body[name] = ((found ?? []) as unknown[]).map(serialize)
      else body[name] = found === undefined ? null : serialize(found)
    }
  }
  body[linksField] = links(entity, exchange)
  return body
}
