import type { Authentication } from '#http/declare/authentication.ts'
import type { Route } from '#http/declare/route.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { confirmActor, hasAtLeastPermissions } from '#http/pipeline/guards/authentication.ts'
import { problem } from '#values/problem.ts'

type ConfirmCaller = Middleware<AdmittedExchange, void, Outcome>

/** A body that arrives later than this after the header fields is late. */
const lateAfterMs = 100

const mayChange = ({ access, method }: Route): boolean =>
  method !== 'GET' && access.kind !== 'no-authentication'

/**
 * Verifies the credential of a write again if its body was late: a body that is held back must not
 * outlive the credential. Throws the problem of the credential, or 403/4031.
 */
export const confirmLateCallerMiddleware = (authentication: Authentication): ConfirmCaller => ({
  name: 'confirm late caller',
  prepare: (route) =>
    mayChange(route)
      ? {
          fragment: {},
          run: async (exchange, next) => {
            const { actor, db, now, arrivedAtMs } = exchange
            const isLate = performance.now() - arrivedAtMs > lateAfterMs
            if (isLate && actor.credential !== null) {
              const found = await confirmActor(authentication, exchange, db, now)
              requireUnchanged(hasAtLeastPermissions(found, actor))
            }
            return next()
          },
        }
      : undefined,
})

/**
 * Checks in the transaction of a write by an administrator that account, session and API key are as
 * they were, so that nobody undoes a demotion that was committed meanwhile. Throws 403/4031.
 */
export const confirmAdministratorMiddleware = ({ isUnchanged }: Authentication): ConfirmCaller => ({
  name: 'confirm administrator',
  prepare: (route) =>
    isUnchanged && mayChange(route)
      ? {
          fragment: {},
          run: async ({ actor, ctx }, next) => {
            if (actor.role === 'admin') requireUnchanged(await isUnchanged(ctx.db, actor))
            return next()
          },
        }
      : undefined,
})

function requireUnchanged(isUnchanged: boolean): void {
  if (!isUnchanged) throw problem('4031', 'detail.permission_changed')
}
