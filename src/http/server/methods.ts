import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withoutPrefix } from '#http/codec/versions.ts'
import type { Route } from '#http/declare/route.ts'
import { type Origins, preflightResponse } from '#http/pipeline/guards/cors.ts'
import { createMessage } from '#i18n/message.ts'
import { Problem, problem } from '#values/problem.ts'
import { patchTypes } from './request-body.ts'

interface Place {
  readonly template: string
  readonly pattern: RegExp
  readonly allow: string
}

export type Places = readonly Place[]

/** Every path there is, and what it offers. */
export const placesOf = (routes: readonly Pick<Route, 'method' | 'path'>[]): Places =>
  [...Map.groupBy(routes, (route) => route.path)].map(([template, group]) =>
    placeOf(template, group),
  )

/** Answers OPTIONS on every path, and other methods than the declared ones with 405 and Allow. */
export function offerMethods(app: FastifyInstance, places: Places, origins: Origins): void {
  for (const { template, allow } of places) {
    const headers = allow.includes('PATCH') ? { allow, 'accept-patch': patchTypes } : { allow }
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
  // In onRequest, so that it comes before the body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    const isNowhere = request.is404 || endsInSlash(request.url)
    done(isNowhere ? methodProblem(places, sentMethod(request), request.originalUrl) : undefined)
  })
}

/** The method as it was sent, also where HTTP/2 let one in that the router could not take. */
const sentMethod = ({ method, raw }: FastifyRequest): string =>
  (raw as { readonly sentMethod?: string }).sentMethod ?? method

/** True for a path but the root that ends in a slash; the router takes that for an empty name. */
function endsInSlash(url: string): boolean {
  const query = url.indexOf('?')
  const end = query < 0 ? url.length : query
  return end > 1 && url[end - 1] === '/'
}

function placeOf(template: string, group: readonly Pick<Route, 'method'>[]): Place {
  const methods = new Set(
    group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  )
  return {
    template,
    pattern: new RegExp(`^${template.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`),
    allow: [...methods, 'OPTIONS'].join(', '),
  }
}

/**
 * The refusal of a method that a path does not offer: 405/4051 with its Allow (RFC 9110 15.5.6), or
 * 404/4042 where the path leads nowhere.
 */
export function methodProblem(places: Places, method: string, address: string): Problem {
  const [asked = ''] = address.split('?', 1)
  const path = withoutPrefix(asked)
  const place = places.find(({ pattern }) => pattern.test(path))
  if (!place) return problem('4042', 'detail.no_path', { path: asked })
  const { allow } = place
  return new Problem('4051', createMessage('detail.method', { method, allowed: allow }), {
    headers: { allow },
  })
}
