import { type AnyResource, definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'

/** Returns the `Vary` fields of successful responses of a route (RFC 9110 section 12.5.5). */
export function varyHeaders({ resource, method, access, stream }: Route): readonly string[] {
  return [
    ...(isNegotiated(resource) ? ['Accept'] : []),
    'Accept-Encoding',
    ...(isLocalized(resource) ? ['Accept-Language'] : []),
    // Links differ by caller.
    ...(access.kind === 'no-authentication' ? [] : ['Authorization']),
    ...(supportsPrefer({ resource, method }) ? ['Prefer'] : []),
    ...(stream ? ['Last-Event-ID'] : []),
  ]
}

/** Returns the `Vary` fields of problem responses of a route, which are always negotiated. */
export const varyHeadersOfProblems = (route: Route): readonly string[] => [
  ...new Set(['Accept', 'Accept-Encoding', 'Accept-Language', ...varyHeaders(route)]),
]

/** False for files, which caches must not keep once per `Accept`. */
export const isNegotiated = (resource: AnyResource): boolean =>
  resource.kind !== 'document' || resource.hasTextId !== true

/** True if responses of the resource contain sentences, which differ by language. */
export function isLocalized(resource: AnyResource): boolean {
  const definition = definitionOf(resource)
  return definition.kind !== 'document' && definition.isLocalized === true
}

/** True for a route that supports `Prefer: return=minimal` (RFC 7240 section 4.2). */
export const supportsPrefer = ({ resource, method }: Pick<Route, 'resource' | 'method'>): boolean =>
  resource.kind !== 'document' && (method === 'POST' || method === 'PUT' || method === 'PATCH')

/** Returns a `Vary` with a further field name, unless it has that name already. */
export function addVary(vary: unknown, name: string): string {
  const names = typeof vary === 'string' ? vary.split(', ') : []
  return names.includes(name) ? names.join(', ') : [...names, name].join(', ')
}
