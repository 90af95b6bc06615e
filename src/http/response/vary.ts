import type { Route } from '#http/declare/operation.ts'
import { isSpoken } from '#http/declare/resource.ts'

/** The request fields that the answers of a route depend on, whatever the request (RFC 9110 12.5.5). */
export function lookedAt({ noun, method, access }: Route): readonly string[] {
  return [
    ...(noun.kind === 'document' ? [] : ['Accept']),
    'Accept-Encoding',
    ...(isSpoken(noun) ? ['Accept-Language'] : []),
    // What is shown, and the links with it, is another for another caller.
    ...(access.kind === 'open' ? [] : ['Authorization']),
    ...(prefers({ noun, method }) ? ['Prefer'] : []),
  ]
}

/** The same for its refusals, which have a form and a language whatever the route. */
export const lookedAtToRefuse = (route: Route): readonly string[] => [
  ...new Set(['Accept', 'Accept-Encoding', 'Accept-Language', ...lookedAt(route)]),
]

/** True for a route whose answer a client may do without (RFC 7240 4.2). */
export const prefers = ({ noun, method }: Pick<Route, 'noun' | 'method'>): boolean =>
  noun.kind !== 'document' && (method === 'POST' || method === 'PUT' || method === 'PATCH')

/** A Vary that names a further request field, once. */
export function alsoVaries(vary: unknown, name: string): string {
  const known = typeof vary === 'string' ? vary.split(', ') : []
  return known.includes(name) ? known.join(', ') : [...known, name].join(', ')
}
