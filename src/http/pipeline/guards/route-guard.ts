import type { Exchange } from '#http/pipeline/exchange.ts'
import type { Guard } from '#http/pipeline/step.ts'

/** Runs the guard that the route declares. */
export const routeGuard: Guard<Exchange> = {
  name: 'route guard',
  prepare({ guard }) {
    if (!guard) return undefined
    const { check, ...fragment } = guard
    return { fragment, check: ({ request }) => check(request) }
  },
}
