import type { Context } from '#http/declare/context.ts'
import { networkOf } from '#http/message/client-network.ts'

/**
 * Returns the network for which orders and mails of a caller count; null for administrators, whose
 * orders, for themselves or for others, are not limited and do not yield, and for the server itself.
 */
export function callerNetwork({
  actor,
  auditActor,
}: Pick<Context, 'actor' | 'auditActor'>): string | null {
  const { address } = auditActor()
  return actor.role === 'admin' || address === null ? null : networkOf(address)
}
