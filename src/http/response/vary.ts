import { isLocalized } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'

/** The request fields that the answers of a route depend on, whatever the request (RFC 9110 12.5.5). */
export function varyHeaders({ resource, method, access }: Route): readonly string[] {
  return [
    ...(resource.kind === 'document' ? [] : ['Accept']),
    'Accept-Encoding',
    ...(isLocalized(resource) ? ['Accept-Language'] : []),
    // What is shown, and the links with it, is another for another caller.
    ...(access.kind === 'open' ? [] : ['Authorization']),
    ...(prefers({ resource, method }) ? ['Prefer'] : []),
  ]
}

/** The same for its refusals, which have a form and a language whatever the route. */
export const varyHeadersOfProblems = (route: Route): readonly string[] => [
  ...new Set(['Accept', 'Accept-Encoding', 'Accept-Language', ...varyHeaders(route)]),
]

/** True for a route whose answer a client may do without (RFC 7240 4.2). */
export const prefers = ({ resource, method }: Pick<Route, 'resource' | 'method'>): boolean =>
  resource.kind !== 'document' && (method === 'POST' || method === 'PUT' || method === 'PATCH')

/** A Vary that names a further request field, once. */
export function alsoVaries(vary: unknown, name: string): string {
  const known = typeof vary === 'string' ? vary.split(', ') : []
  return known.includes(name) ? known.join(', ') : [...known, name].join(', ')
}
