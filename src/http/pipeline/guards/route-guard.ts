import type { Guard } from '#http/pipeline/exchange.ts'

/** Holds requests to the guard of their route, before the body is read. */
export const routeGuard: Guard = {
  name: 'guard',
  prepare({ guard }) {
    if (!guard) return undefined
    const { check, ...fragment } = guard
    return { fragment, check: ({ request }) => check(request) }
  },
}
