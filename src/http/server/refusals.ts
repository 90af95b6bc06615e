import type { FastifyInstance } from 'fastify'
import { networkOf } from '#http/message/client-network.ts'
import type { NetworkWork } from '#http/rate-limit/network-work.ts'
import type { Instant } from '#values/instant.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends what the request costs before its body is read, or until it is refused. */
    endGuards: (() => void) | undefined
  }
}

/**
 * Measures every request until its body may be read, or until the response to a refusal is sent, as work
 * of its network: whoever sends many requests that are refused has caused the load. Registered before
 * other hooks.
 */
export function measureRefusals(
  app: FastifyInstance,
  work: NetworkWork | undefined,
  clock: () => Instant,
): void {
  if (!work) return
  app.decorateRequest('endGuards')
  app.addHook('onRequest', (request, reply, done) => {
    request.endGuards = work.measure(networkOf(request.ip), clock())
    // A client may disconnect before there is a response.
    reply.raw.on('close', request.endGuards)
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.endGuards?.()
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    request.endGuards?.()
    done()
  })
}
