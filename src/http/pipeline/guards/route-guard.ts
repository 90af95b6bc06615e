import type { Exchange } from '#http/exchange/exchange.ts'
import type { Guard } from '#http/exchange/step.ts'

/** Runs the guard that the route declares. */
export const routeGuard: Guard<Exchange> = {
  name: 'route guard',
  prepare({ guard }) {
    if (!guard) return undefined
    const { check, ...fragment } = guard
    return { fragment, check: ({ request }) => check(request) }
  },
}
