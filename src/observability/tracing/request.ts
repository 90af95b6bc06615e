import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { TraceRequest } from '#http/server/trace-requests.ts'

/**
 * Returns a function that creates a span for each request, by the semantic conventions for HTTP servers,
 * as a child of the span in `traceparent`, if any. The path, the query and the addresses are left out,
 * since they may be secret or personal.
 */
export const requestTracer =
  (tracer: Tracer): TraceRequest =>
  ({ method, route, scheme, httpVersion, headers }) => {
    const parent = propagation.extract(ROOT_CONTEXT, headers)
    const attributes = {
      'http.request.method': method,
      'url.scheme': scheme,
      'network.protocol.version': httpVersion,
      ...(route === undefined ? {} : { 'http.route': route }),
    }
    const name = route === undefined ? method : `${method} ${route}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
    const active = trace.setSpan(parent, span)
    return {
      run: (work) => context.with(active, work),
      end: ({ status, requestId }) => {
        span.setAttribute('http.response.status_code', status)
        // The log has the same ID.
        span.setAttribute('http.response.header.x-request-id', [requestId])
        if (status >= 500) {
          span.setAttribute('error.type', String(status))
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }
