import type { FastifyInstance, FastifyRequest } from 'fastify'
import { say } from '#values/message.ts'
import { Refusal, refusal } from '#values/refusal.ts'
import { patchTypes } from './body.ts'
import { type Origins, preflightAnswer } from './cors.ts'
import type { Route } from './verb.ts'

interface Place {
  readonly template: string
  readonly pattern: RegExp
  readonly allow: string
}

/** Answers OPTIONS on every path, and other methods than the declared ones with 405 and Allow. */
export function offerMethods(
  app: FastifyInstance,
  routes: readonly Pick<Route, 'method' | 'path'>[],
  origins: Origins,
): void {
  const places = [...Map.groupBy(routes, (route) => route.path)].map(([template, group]) =>
    placeOf(template, group),
  )
  for (const { template, allow } of places) {
    const headers = allow.includes('PATCH') ? { allow, 'accept-patch': patchTypes } : { allow }
    app.options(template, (request, reply) =>
      reply
        .code(204)
        .headers({ ...headers, ...preflightAnswer(request, allow, origins) })
        .send(),
    )
  }
  app.setNotFoundHandler(() => {
    throw refusal('4042', 'detail.no_path', { path: '' })
  })
  // In onRequest, so that it comes before the body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    const isNowhere = request.is404 || endsInSlash(request.url)
    done(isNowhere ? refuseAddress(request, places) : undefined)
  })
}

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

function refuseAddress(
  { url, originalUrl, method }: FastifyRequest,
  places: readonly Place[],
): Refusal {
  const [path = ''] = url.split('?', 1)
  const place = places.find(({ pattern }) => pattern.test(path))
  if (!place) {
    const [asked = ''] = originalUrl.split('?', 1)
    return refusal('4042', 'detail.no_path', { path: asked })
  }
  const { allow } = place
  return new Refusal('4051', say('detail.method', { method, allowed: allow }), {
    headers: { allow },
  })
}
