import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describeServedRequest, type ServedRequest } from './observe-requests.ts'

/** A request that has arrived. */
export interface ArrivedRequest {
  readonly method: string
  /** The path template of the route; undefined where none matched. */
  readonly route: string | undefined
  readonly scheme: string
  readonly httpVersion: string
  readonly headers: IncomingHttpHeaders
}

/** A request being traced. */
export interface RequestTrace {
  /** Runs `work`, and what it causes, as a part of the request. */
  readonly run: (work: () => void) => void
  /** Called once the response is sent or the client has disconnected. */
  readonly end: (served: ServedRequest) => void
}

/** Begins to trace a request. */
export type TraceRequest = (request: ArrivedRequest) => RequestTrace

/** Traces every request, from its header section to the end of its response. */
export function traceRequests(app: FastifyInstance, trace: TraceRequest): void {
  const traces = new WeakMap<FastifyRequest, RequestTrace>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, protocol: scheme, raw, routeOptions } = request
    const { httpVersion } = raw
    const started = trace({ method, route: routeOptions.url, scheme, httpVersion, headers })
    traces.set(request, started)
    started.run(done)
  })
  // What reads the body runs outside the context of the request.
  app.addHook('preHandler', (request, _reply, done) => {
    traces.get(request)?.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    traces.get(request)?.end(describeServedRequest(request, reply.statusCode, reply.elapsedTime))
    done()
  })
}
