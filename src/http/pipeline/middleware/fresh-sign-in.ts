import type { Authentication } from '#http/declare/authentication.ts'
import { requireFreshSignIn } from '#http/declare/permissions.ts'
import { requireConfirmed } from '#http/exchange/confirmation.ts'
import type { AuthenticatedExchange, ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'

/**
 * Verifies the password that a body proves the caller with, before anything slow is done, and requires
 * it, or a sign-in of the last minutes, where the route does. Throws 403/4031.
 */
export const freshSignInMiddleware = ({
  provePassword,
}: Authentication): Middleware<ValidatedExchange, Pick<AuthenticatedExchange, 'ctx'>, Outcome> => ({
  name: 'fresh sign-in',
  prepare({ passwordFields = [], needsFreshSignIn }) {
    if (passwordFields.length === 0 && !needsFreshSignIn) return undefined
    const isNeeded = needsFreshSignIn ?? (() => false)
    const accessDescription = `Needs a sign-in of the last ten minutes${
      passwordFields.length === 0 ? '' : `, or the password in \`${passwordFields[0]}\``
    }; API keys and tokens of applications need neither.`
    return {
      fragment: {
        problems: passwordFields.length === 0 ? ['4031'] : ['4031', '4291'],
        ...(needsFreshSignIn ? { accessDescription } : {}),
      },
      run: async (exchange, next) => {
        const { actor, input, params } = exchange
        const body = (input.body ?? {}) as Readonly<Record<string, unknown>>
        const password = passwordFields
          .map((name) => body[name])
          .find((value) => value !== undefined)
        const isSent = typeof password === 'string' && provePassword !== undefined
        if (isSent) await requireConfirmed(exchange)
        const provedHash = isSent ? await provePassword(exchange.ctx, password) : undefined
        const ctx = { ...exchange.ctx, provedHash }
        if (isNeeded(actor, params)) requireFreshSignIn(ctx)
        return next({ ctx })
      },
    }
  },
})
