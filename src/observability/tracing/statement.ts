import { context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { StartStatement } from '#store/trace-statement.ts'

const maxTextLength = 2000
const systems = { sqlite: 'sqlite', postgres: 'postgresql' } as const

/**
 * Returns a function that creates a span for each statement of a request, by the semantic conventions for
 * databases. The text of a statement holds placeholders instead of values. Statements of the jobs, which
 * run every few seconds, have no span.
 */
export const statementTracer = (tracer: Tracer, kind: keyof typeof systems): StartStatement => {
  const described = new Map<string, ReturnType<typeof describe>>()
  return (sql) => {
    if (!trace.getSpan(context.active())?.isRecording()) return undefined
    let description = described.get(sql)
    if (!description) {
      description = describe(sql, kind)
      if (described.size < maxDescriptions) described.set(sql, description)
    }
    const span = tracer.startSpan(description.name, description.options)
    return (error) => {
      if (error !== undefined) {
        const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
        span.setAttribute('error.type', String(code ?? name ?? 'error'))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    }
  }
}

const maxDescriptions = 2000

function describe(sql: string, kind: keyof typeof systems) {
  const [operation = ''] = /\w+/.exec(sql) ?? []
  const [, table] = /\b(?:from|into|update)\s+"(\w+)"/.exec(sql) ?? []
  const attributes = {
    'db.system.name': systems[kind],
    'db.operation.name': operation,
    'db.query.text': sql.slice(0, maxTextLength),
    ...(table === undefined ? {} : { 'db.collection.name': table }),
  }
  const name = table === undefined ? operation : `${operation} ${table}`
  return { name, options: { kind: SpanKind.CLIENT, attributes } }
}
