import { Type } from 'typebox'
import { excessProblem, mayGiveAuthority } from '#http/declare/authority.ts'
import { showsLink } from '#http/declare/policy.ts'
import { type AnyEntityDefinition, definitionOf, type Link } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { LinkRepresentation } from '#http/message/link-representation.ts'
import { stringEnum } from '#schema/words.ts'

const href = Type.String({
  description: 'The path and query of the target, or its URL if it is outside of this API.',
  examples: ['/products/42'],
})
const method = stringEnum(['POST', 'PUT', 'PATCH', 'DELETE'], {
  description: 'The method of the request.',
})
const body = Type.Object(
  {},
  { additionalProperties: true, description: 'An example body, filled in as far as it is known.' },
)

/** The schemas of the links of a resource: what the caller may read, and may do, in its current state. */
export const linkSchemas = {
  Link: Type.Object(
    { href },
    {
      description:
        'A related resource, to be read with GET; in XML, a `<link rel="…">` with its name.',
    },
  ),
  Action: Type.Object(
    { href, method },
    { description: 'An operation that the caller may perform now; in XML, like a `Link`.' },
  ),
  FilledAction: Type.Object({ href, method, body }, { description: 'An `Action` with a body.' }),
}

/** Returns the name of the schema of a link. */
export function linkSchemaOf({ operation = 'read', body }: Link<never>): keyof typeof linkSchemas {
  if (operation === 'read') return 'Link'
  return body === undefined ? 'Action' : 'FilledAction'
}

type BuildPath = (params: Readonly<Record<string, number>>) => string

/** Compiles a path template; an absent parameter becomes `{name}`. */
export function compilePath(template: string): BuildPath {
  const parts = template.split(/:(\w+)/)
  if (parts.length === 1) return () => template
  return (params) => {
    let path = parts[0] ?? ''
    for (let index = 1; index < parts.length; index += 2) {
      const name = parts[index] ?? ''
      path += (params[name] ?? `{${name}}`) + (parts[index + 1] ?? '')
    }
    return path
  }
}

/** Returns the links of an entity that the caller may follow in its current state. */
export type BuildLinks = (
  entity: unknown,
  exchange: AuthenticatedExchange,
) => Record<string, LinkRepresentation>

/** Compiles the links of a resource. Throws a TypeError for an unknown target. */
export function compileLinks(
  definition: AnyEntityDefinition,
  routes: readonly Route[],
): BuildLinks {
  const selfPath = compilePath(definition.path)
  const addsSelf = definition.links?.['self'] === undefined
  const compiled = Object.entries(definition.links ?? {}).map(([rel, link]) =>
    compileLink(definition, rel, link as Link<unknown>, routes),
  )
  return (entity, exchange) => {
    const links: Record<string, LinkRepresentation> = {}
    if (addsSelf)
      links['self'] = { href: exchange.prefix + selfPath(definition.pathParams(entity)) }
    for (const { rel, build } of compiled) {
      const link = build(entity, exchange)
      if (link) links[rel] = link
    }
    return links
  }
}

function compileLink(
  definition: AnyEntityDefinition,
  rel: string,
  link: Link<unknown>,
  routes: readonly Route[],
) {
  const target = findLinkTarget(definition, rel, link, routes)
  const path = compilePath(target.path)
  const { access } = target
  const ownerParam = access.kind === 'owner-by-path' ? access.param : undefined
  const method = target.method === 'GET' ? {} : { method: target.method }
  const authority = authorityToGive(definition, target)
  const build = (
    entity: unknown,
    exchange: AuthenticatedExchange,
  ): LinkRepresentation | undefined => {
    if (link.when && !link.when(entity, exchange.ctx)) return undefined
    const params = link.params?.(entity) ?? definition.pathParams(entity)
    const ownerId =
      ownerParam === undefined ? (definition.owner?.(entity) ?? null) : (params[ownerParam] ?? null)
    const actor = definition.signedInActor?.(entity) ?? exchange.actor
    if (!showsLink(access, actor, ownerId)) return undefined
    if (authority && excessProblem(actor, authority(entity))) return undefined
    const url = link.url?.(entity, exchange.ctx)
    if (url !== undefined) return { href: url }
    const href = exchange.prefix + path(params) + (link.query?.(entity) ?? '')
    return link.body ? { href, ...method, body: link.body(entity) } : { href, ...method }
  }
  return { rel, build }
}

/** Returns what a write of the entity itself gives to its caller; undefined if it is no credential. */
const authorityToGive = (
  definition: AnyEntityDefinition,
  target: Route,
): AnyEntityDefinition['authority'] =>
  mayGiveAuthority(target) && definitionOf(target.resource).name === definition.name
    ? definition.authority
    : undefined

/** Returns the route that a link leads to. Throws a TypeError if there is none. */
export function findLinkTarget(
  definition: AnyEntityDefinition,
  rel: string,
  { to, operation }: Link<unknown>,
  routes: readonly Route[],
): Route {
  const target = routes.find(
    (route) =>
      route.resource.name === to &&
      (operation === undefined
        ? route.kind === 'read' || route.kind === 'list' || route.kind === 'follow'
        : route.kind === operation),
  )
  if (!target)
    throw new TypeError(`Link ${rel} of ${definition.name}: no ${operation ?? 'read'} of ${to}`)
  return target
}
