import { Type } from 'typebox'
import { showsLink } from '#http/declare/policy.ts'
import type { AnyEntityDefinition, Link } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { oneOf } from '#http/declare/schema.ts'
import type { Authenticated } from '#http/pipeline/exchange.ts'

/** One entry of `_links`. */
export interface LinkRepresentation {
  readonly href: string
  readonly method?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** The schema of one. */
export const LinkShape = Type.Object(
  {
    href: Type.String({
      description: 'Where it leads, from the root of the server.',
      examples: ['/products/42'],
    }),
    method: Type.Optional(
      oneOf(['POST', 'PUT', 'PATCH', 'DELETE'], { description: 'What to do there; else GET.' }),
    ),
    body: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'A body to send along, filled in as far as it is known.',
          examples: [{ product_id: 42, quantity: 1 }],
        },
      ),
    ),
  },
  { description: 'Somewhere to go, or something to do.' },
)

type Params = Readonly<Record<string, number>>
type PathParamsOf = (params: Params) => string

/** Compiles a path template; parameters that are absent stay as `{name}`. */
export function compilePath(template: string): PathParamsOf {
  const parts = template.split(/:(\w+)/)
  if (parts.length === 1) return () => template
  return (params) => {
    let path = parts[0] ?? ''
    for (let at = 1; at < parts.length; at += 2) {
      const name = parts[at] ?? ''
      path += (params[name] ?? `{${name}}`) + (parts[at + 1] ?? '')
    }
    return path
  }
}

/** Makes the `_links` of an entity: those this caller may follow in this state. */
export type Linker = (
  entity: unknown,
  exchange: Authenticated,
) => Record<string, LinkRepresentation>

/** Resolves the links of a thing by the names of their targets; throws where one is unknown. */
export function compileLinks(definition: AnyEntityDefinition, routes: readonly Route[]): Linker {
  const self = compilePath(definition.path)
  const ownSelf = definition.links?.['self'] === undefined
  const links = Object.entries(definition.links ?? {}).map(([rel, link]) =>
    compileLink(definition, rel, link as Link<unknown>, routes),
  )
  return (entity, exchange) => {
    const told: Record<string, LinkRepresentation> = {}
    if (ownSelf) told['self'] = { href: exchange.prefix + self(definition.pathParams(entity)) }
    for (const { rel, tell } of links) {
      const link = tell(entity, exchange)
      if (link) told[rel] = link
    }
    return told
  }
}

function compileLink(
  definition: AnyEntityDefinition,
  rel: string,
  link: Link<unknown>,
  routes: readonly Route[],
) {
  const target = targetOf(definition, rel, link, routes)
  const path = compilePath(target.path)
  const { access } = target
  const ownerParam = access.kind === 'owner-by-path' ? access.param : undefined
  const method = target.method === 'GET' ? {} : { method: target.method }
  const tell = (entity: unknown, exchange: Authenticated): LinkRepresentation | undefined => {
    if (link.when && !link.when(entity, exchange.ctx)) return undefined
    const params = link.params?.(entity) ?? definition.pathParams(entity)
    const ownerId =
      ownerParam === undefined ? (definition.owner?.(entity) ?? null) : (params[ownerParam] ?? null)
    const caller = definition.caller?.(entity) ?? exchange.actor
    if (!showsLink(access, caller, ownerId)) return undefined
    const href = exchange.prefix + path(params) + (link.query?.(entity) ?? '')
    return link.body ? { href, ...method, body: link.body(entity) } : { href, ...method }
  }
  return { rel, tell }
}

/** The route that a link of a thing leads to; throws a TypeError where there is none. */
export function targetOf(
  definition: AnyEntityDefinition,
  rel: string,
  { to, operation }: Link<unknown>,
  routes: readonly Route[],
): Route {
  const target = routes.find(
    (route) =>
      route.resource.name === to &&
      (operation === undefined
        ? route.kind === 'read' || route.kind === 'list'
        : route.kind === operation),
  )
  if (!target)
    throw new TypeError(`Link ${rel} of ${definition.name}: no ${operation ?? 'read'} of ${to}`)
  return target
}
