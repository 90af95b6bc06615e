import type { Gate } from '#http/pipeline/exchange.ts'

/** Holds requests to the guard of their route, before the body is read. */
export const guardGate: Gate = {
  name: 'guard',
  prepare({ guard }) {
    if (!guard) return undefined
    const { check, ...says } = guard
    return { says, check: ({ request }) => check(request) }
  },
}
