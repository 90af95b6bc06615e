import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** What Node publishes about the requests of its HTTP client. */
interface ClientMessage {
  readonly request: ClientRequest
  readonly response?: IncomingMessage
  readonly error?: NodeJS.ErrnoException
}

/**
 * Creates a span for each request that this process sends by node:http or node:https, and passes
 * `traceparent` on. The path and the query are left out, since they may be secret. Returns a function
 * that stops it.
 */
export function traceOutgoingRequests(tracer: Tracer): () => void {
  const spans = new WeakMap<ClientRequest, Span>()

  const start = ({ request }: ClientMessage): void => {
    if (request.headersSent) return
    const { method, protocol, host } = request
    const attributes = {
      'http.request.method': method,
      'url.scheme': protocol.replace(':', ''),
      'server.address': host,
    }
    // Requests to the collector get a span that is not exported, with an invalid context.
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes })
    const carrier: Record<string, string> = {}
    propagation.inject(trace.setSpan(context.active(), span), carrier)
    for (const [name, value] of Object.entries(carrier)) request.setHeader(name, value)
    spans.set(request, span)
  }
  const end = ({ request, response, error }: ClientMessage): void => {
    const span = spans.get(request)
    if (!span) return
    spans.delete(request)
    const status = response?.statusCode
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 400) {
      span.setAttribute('error.type', String(status ?? error?.code ?? 'error'))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }

  const channels = {
    'http.client.request.created': start,
    'http.client.response.finish': end,
    'http.client.request.error': end,
  }
  const listeners = Object.entries(channels).map(
    ([name, listen]) => [name, (message: unknown) => listen(message as ClientMessage)] as const,
  )
  for (const [name, listener] of listeners) subscribe(name, listener)
  return () => {
    for (const [name, listener] of listeners) unsubscribe(name, listener)
  }
}
