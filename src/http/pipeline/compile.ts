import { AfterCommit } from '#http/declare/results.ts'
import type { Route } from '#http/declare/route.ts'
import {
  type AdmittedExchange,
  type Exchange,
  represent,
  type ValidatedExchange,
} from '#http/exchange/exchange.ts'
import type { Outcome, Response } from '#http/exchange/response.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import { queryType } from '#http/message/media-type.ts'
import { exportFeed, exportList, isExport } from '#http/response/export/export.ts'
import { compileCredentialCheck } from './middleware/credential-check.ts'
import type { orderedSteps } from './step-order.ts'

/** The pipeline of one route. */
export interface RoutePipeline {
  /** Runs the guards, which add what they find to the exchange itself. */
  readonly admit: (exchange: Exchange) => AdmittedExchange | Promise<AdmittedExchange>
  /** Runs the handler and everything around it, once the body is read. */
  readonly respond: (admitted: AdmittedExchange) => Promise<Response>
  readonly fragments: readonly OpenApiFragment[]
}

/** A route and the OpenAPI fragments of its steps. */
export interface DescribedRoute {
  readonly route: Route
  readonly fragments: readonly OpenApiFragment[]
}

/** Compiles the steps that apply to a route. */
export function compileRoute(
  { guards, response, execution }: ReturnType<typeof orderedSteps>,
  route: Route,
): RoutePipeline {
  const admit = guards.prepare(route)
  const execute = execution.prepare(route, compileHandler(route))
  const respond = response.prepare(route, async (admitted) => {
    const outcome = await execute.run(admitted)
    return outcome instanceof AfterCommit ? outcome.run(admitted.ctx) : outcome
  })
  return {
    ...confirmCaller(admit.run, respond.run),
    fragments: [admit, respond, execute].flatMap(({ fragments }) => fragments),
  }
}

/**
 * Lets nothing leave before an assumed caller is confirmed. If it is another one now, runs the request again
 * without assuming anything.
 */
function confirmCaller(
  admit: RoutePipeline['admit'],
  respond: RoutePipeline['respond'],
): Pick<RoutePipeline, 'admit' | 'respond'> {
  const isOther = async ({ confirmation }: Partial<AdmittedExchange>) =>
    confirmation !== undefined && !(await confirmation)
  const admitAnew = async (exchange: Exchange & Partial<AdmittedExchange>) => {
    // It was no request of the one that was assumed.
    exchange.uncount?.()
    exchange.mayAssumeCaller = false
    return admit(exchange)
  }
  return {
    admit: (exchange) => {
      const admitted = admit(exchange)
      if (!(admitted instanceof Promise)) return admitted
      return admitted.catch(async (error: unknown) => {
        if (await isOther(exchange)) return admitAnew(exchange)
        throw error
      })
    },
    respond: async (exchange) => {
      if (exchange.confirmation === undefined) return respond(exchange)
      const [responded] = await Promise.allSettled([respond(exchange)])
      if (await isOther(exchange)) return respond(await admitAnew(exchange))
      if (responded.status === 'rejected') throw responded.reason
      return responded.value
    },
  }
}

function compileHandler(route: Route): (exchange: ValidatedExchange) => Promise<Outcome> {
  const { handle } = route
  const checkCredential = compileCredentialCheck(route)
  if (!handle) return (exchange) => represent(exchange, exchange.current)
  if (route.resource.kind === 'document') {
    return async (exchange) => {
      const { ctx, params, version, input } = exchange
      const { filters } = input
      return represent(exchange, await handle(ctx, { params, version, filters }))
    }
  }
  if (route.stream) return compileFeed(handle, route.stream)
  return async (exchange) => {
    const { input, params, current, prepared, representation } = exchange
    if (isExport(representation)) return exportList(exchange, handle)
    if (Array.isArray(input.body) && route.many) {
      const { body: bodies } = input
      return represent(exchange, await route.many.handle(exchange.ctx, { params, bodies }))
    }
    const result = await handle(exchange.ctx, { ...input, params, current, prepared })
    if (result instanceof AfterCommit) {
      const run = async (ctx: ValidatedExchange['ctx']) =>
        represent({ ...exchange, ctx }, await result.run(ctx))
      return new AfterCommit(result.subject, run)
    }
    checkCredential?.(exchange.actor, result)
    return represent(exchange, result)
  }
}

/** Returns the entries of a feed, or opens a stream of them. */
const compileFeed =
  (handle: NonNullable<Route['handle']>, stream: NonNullable<Route['stream']>) =>
  async (exchange: ValidatedExchange): Promise<Outcome> => {
    const { ctx, input, params, representation } = exchange
    if (isExport(representation)) return exportFeed(exchange, handle)
    if (representation.format !== 'event-stream') {
      return represent(exchange, await handle(ctx, { ...input, params }))
    }
    const lastEventId = input.raw.header('last-event-id')
    return {
      status: 200,
      headers: {
        'content-type': representation.contentType,
        'accept-query': queryType,
        // A proxy must not buffer the events.
        'x-accel-buffering': 'no',
      },
      stream: await stream(ctx, { ...input, params, lastEventId }),
      isUnstored: true,
    }
  }
