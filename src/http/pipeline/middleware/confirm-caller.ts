import type { Scope } from '#http/declare/actor.ts'
import type { Authentication } from '#http/declare/authentication.ts'
import { requiredScopesOf } from '#http/declare/policy.ts'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { confirmActor, hasAtLeastPermissions } from '#http/pipeline/guards/authentication.ts'
import { problem } from '#values/problem.ts'
import { protectedIn } from './protected-fields.ts'

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
 * Reads the caller of a write again in its transaction: that of an administrator, so that nobody undoes
 * a demotion that was committed meanwhile, and that of whatever concerns an account, which is locked
 * before. So whoever gets the account back either finds what is written or has ended the caller. Throws
 * 403/4031.
 */
export const confirmCallerMiddleware = ({
  isUnchanged,
  accountScopes,
}: Authentication): ConfirmCaller => ({
  name: 'confirm caller',
  prepare: (route) => {
    if (!isUnchanged || !mayChange(route)) return undefined
    const locks = concernsAccount(route, accountScopes)
    return {
      fragment: {},
      run: async ({ ctx }, next) => {
        if (locks || ctx.actor.role === 'admin') {
          requireUnchanged(await isUnchanged(ctx, { locks }))
        }
        return next()
      },
    }
  },
})

/**
 * True for a write of something that acts for a user (a resource with `authority`), that needs a fresh
 * sign-in, that may change a field which does, or that needs a scope of accounts. Administrators, who alone may set
 * other protected fields, are read again in any case.
 */
function concernsAccount(route: Route, accountScopes?: ReadonlySet<Scope>): boolean {
  const { access, body, resource, needsFreshSignIn } = route
  const scopes =
    access.kind === 'no-authentication' || access.kind === 'optional-authentication'
      ? []
      : requiredScopesOf(access)
  const definition = definitionOf(resource)
  return (
    ('authority' in definition && definition.authority !== undefined) ||
    needsFreshSignIn !== undefined ||
    protectedIn(body, 'administrators').length > 0 ||
    protectedIn(body, 'fresh-sign-in').length > 0 ||
    scopes.some((scope) => accountScopes?.has(scope))
  )
}

function requireUnchanged(isUnchanged: boolean): void {
  if (!isUnchanged) throw problem('4031', 'detail.permission_changed')
}
