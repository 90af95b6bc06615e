import { setTimeout as sleep } from 'node:timers/promises'
import { DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { release } from '#http/server/release.ts'
import type { TraceRequest } from '#http/server/trace-requests.ts'
import type { StartStatement } from '#store/trace-statement.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import { tellRarely } from '#values/tell-rarely.ts'
import { traceOutgoingRequests } from './outgoing.ts'
import { requestTracer } from './request.ts'
import { statementTracer } from './statement.ts'

/** The tracing of a process. */
export interface Tracing {
  readonly traceRequest: TraceRequest
  readonly startStatement: (kind: 'sqlite' | 'postgres') => StartStatement
  /** Sends the remaining spans, for at most four seconds. */
  readonly close: () => Promise<void>
}

const closeTimeoutMs = 4 * secondMs

/**
 * Exports spans by OTLP over http/protobuf as the OTEL_* variables of the environment say. Spans wait in
 * a bounded queue, so a collector that is slow or away delays nothing; what does not fit is dropped.
 */
export function startTracing(log: { readonly warn: (message: string) => void }): Tracing {
  warnOfLosses(log)
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'cartwright',
          'service.version': release.version,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  // Without baggage, which would pass on to others what clients send.
  provider.register({ propagator: new W3CTraceContextPropagator() })
  const tracer = trace.getTracer('cartwright')
  const stopTracingOutgoing = traceOutgoingRequests(tracer)
  return {
    traceRequest: requestTracer(tracer),
    startStatement: (kind) => statementTracer(tracer, kind),
    close: async () => {
      stopTracingOutgoing()
      // The timer keeps the process alive meanwhile; those of the library do not.
      const timer = new AbortController()
      const flushed = provider.shutdown().catch(() => undefined)
      const timeout = sleep(closeTimeoutMs, undefined, timer).catch(() => undefined)
      await Promise.race([flushed, timeout])
      timer.abort()
    },
  }
}

/** Logs once a minute that spans are lost, without the words of the collector. */
function warnOfLosses(log: { readonly warn: (message: string) => void }): void {
  const countLeftOut = tellRarely(minuteMs)
  const warn = () => {
    if (countLeftOut() === undefined) return
    log.warn('the collector of OTEL_EXPORTER_OTLP_ENDPOINT did not take the traces')
  }
  const ignore = () => undefined
  const logger = { error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
}
