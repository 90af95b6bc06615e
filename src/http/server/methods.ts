import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '#http/declare/route.ts'
import { withoutPrefix } from '#http/message/api-versions.ts'
import { queryType } from '#http/message/media-type.ts'
import { pathOf } from '#http/message/url-path.ts'
import { type Origins, preflightResponse } from '#http/pipeline/guards/cors.ts'
import { createMessage } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'
import { acceptsQuery } from './body/query-method.ts'
import { patchTypes } from './body/request-body.ts'

/** A path and the methods that it offers. */
export interface PathMethods {
  /** The path template of its routes. */
  readonly template: string
  readonly pattern: RegExp
  /** The value of Allow. */
  readonly allow: string
}

/** The part of a route that decides which methods its path offers. */
type MethodOfPath = Pick<Route, 'method' | 'path'> & Partial<Pick<Route, 'kind'>>

/** Groups routes by path. */
export const methodsByPath = (routes: readonly MethodOfPath[]): readonly PathMethods[] =>
  [...Map.groupBy(routes, (route) => route.path)].map(([template, group]) =>
    methodsOf(template, group),
  )

/**
 * Answers OPTIONS on every path, another method that the path does not offer with 405/4051 and
 * Allow, and an unknown path with 404/4042, before the body is read.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  paths: readonly PathMethods[],
  origins: Origins,
): void {
  for (const { template, allow } of paths) {
    const headers = {
      allow,
      ...(allow.includes('PATCH') ? { 'accept-patch': patchTypes } : {}),
      ...(allow.includes('QUERY') ? { 'accept-query': queryType } : {}),
    }
    app.options(template, (request, reply) =>
      reply
        .code(204)
        .headers({ ...headers, ...preflightResponse(request, allow, origins) })
        .send(),
    )
  }
  app.setNotFoundHandler(() => {
    throw problem('4042', 'detail.no_path', { path: '' })
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isUnrouted = request.is404 || hasEmptyParameter(request)
    done(isUnrouted ? methodProblem(paths, sentMethod(request), request.originalUrl) : undefined)
  })
}

/** The method that the client sent; `http2.ts` replaces one that the router cannot take. */
const sentMethod = ({ method, raw }: FastifyRequest): string =>
  (raw as { readonly sentMethod?: string }).sentMethod ?? method

/**
 * True for a path other than `/` that ends in a slash: the router reads an empty parameter. A
 * wildcard may be empty.
 */
function hasEmptyParameter(request: FastifyRequest): boolean {
  const path = pathOf(request.url)
  // Fastify makes a new object for each read of `routeOptions`.
  return path.length > 1 && path.endsWith('/') && !request.routeOptions.url?.endsWith('*')
}

function methodsOf(template: string, group: readonly MethodOfPath[]): PathMethods {
  const methods = new Set(
    group.flatMap((route) => [
      ...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]),
      ...(acceptsQuery(route) ? ['QUERY'] : []),
    ]),
  )
  return {
    template,
    pattern: new RegExp(`^${patternOf(template)}$`),
    allow: [...methods, 'OPTIONS'].join(', '),
  }
}

const patternOf = (template: string): string =>
  template.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')

/**
 * The problem of a method that a path does not offer: 405/4051 with Allow (RFC 9110 15.5.6), or
 * 404/4042 for an unknown path.
 */
export function methodProblem(
  paths: readonly PathMethods[],
  method: string,
  address: string,
): Problem {
  const path = pathOf(address)
  const unprefixed = withoutPrefix(path)
  const found = paths.find(({ pattern }) => pattern.test(unprefixed))
  if (!found) return problem('4042', 'detail.no_path', { path })
  const { allow } = found
  return new Problem('4051', createMessage('detail.method', { method, allowed: allow }), {
    headers: { allow },
  })
}
