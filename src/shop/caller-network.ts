import type { Context } from '#http/declare/context.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'

/**
 * Returns the network for which mails of a caller count; null for administrators, whose mails are not
 * limited, and for the server itself.
 */
export function callerNetwork({
  actor,
  auditActor,
}: Pick<Context, 'actor' | 'auditActor'>): string | null {
  const { address } = auditActor()
  return actor.role === 'admin' || address === null ? null : networkOf(address)
}

/**
 * Returns the network for which orders of a caller count, of IPv6 the site: what it holds unpaid is kept from
 * others. Null for administrators, whose orders, for themselves or for others, are not limited and do not yield.
 */
export function buyerNetwork(ctx: Pick<Context, 'actor' | 'auditActor'>): string | null {
  const network = callerNetwork(ctx)
  return network === null ? null : siteOf(network)
}
