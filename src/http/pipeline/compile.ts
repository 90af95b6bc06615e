import { AfterCommit, type Route } from '#http/declare/route.ts'
import {
  type Admitted,
  type Exchange,
  type Negotiated,
  represent,
  type WithEntity,
} from './exchange.ts'
import { boundsOf } from './middleware/credential-bounds.ts'
import type { order } from './order.ts'
import { AfterCommitWork, type Outcome, type Response } from './response.ts'
import type { OpenApiFragment } from './step.ts'

/** The pipeline of one route. */
export interface RoutePipeline {
  /** Negotiates the form of the response, before the caller is known. */
  readonly negotiate: (exchange: Exchange) => Negotiated | Promise<Negotiated>
  /** Identifies the caller and checks the access policy. */
  readonly admit: (exchange: Negotiated) => Admitted | Promise<Admitted>
  /** Runs the handler and everything around it, once the body is read. */
  readonly respond: (admitted: Admitted) => Promise<Response>
  readonly fragments: readonly OpenApiFragment[]
}

/** Compiles the steps of the order that apply to a route. */
export function compileRoute(
  { negotiation, caller, response, execution }: ReturnType<typeof order>,
  route: Route,
): RoutePipeline {
  const negotiate = negotiation.prepare(route)
  const admit = caller.prepare(route)
  const execute = execution.prepare(route, compileHandler(route))
  const respond = response.prepare(route, async (admitted) => {
    const outcome = await execute.run(admitted)
    return outcome instanceof AfterCommitWork ? outcome.run(admitted.ctx) : outcome
  })
  return {
    negotiate: negotiate.run,
    admit: admit.run,
    respond: respond.run,
    fragments: [negotiate, admit, respond, execute].flatMap(({ fragments }) => fragments),
  }
}

function compileHandler(route: Route): (exchange: WithEntity) => Promise<Outcome> {
  const { handle } = route
  const requireBounded = boundsOf(route)
  if (!handle) return (exchange) => represent(exchange, exchange.current)
  if (route.resource.kind === 'document') {
    return async (exchange) => {
      const { ctx, params, version } = exchange
      return represent(exchange, await handle(ctx, { params, version }))
    }
  }
  return async (exchange) => {
    const { input, params, current } = exchange
    const result = await handle(exchange.ctx, { ...input, params, current })
    if (result instanceof AfterCommit) {
      const run = async (ctx: WithEntity['ctx']) =>
        represent({ ...exchange, ctx }, await result.run(ctx))
      return new AfterCommitWork(result.subject, run)
    }
    requireBounded?.(exchange.actor, result)
    return represent(exchange, result)
  }
}
