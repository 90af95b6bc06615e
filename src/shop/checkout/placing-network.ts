import type { Context } from '#http/declare/context.ts'
import { networkOf } from '#http/message/client-network.ts'

/**
 * Returns the network for which orders of a caller hold what they take; null for administrators, whose
 * orders, for themselves or for others, are not limited and do not yield.
 */
export const placingNetwork = ({
  actor,
  auditActor,
}: Pick<Context, 'actor' | 'auditActor'>): string | null =>
  actor.role === 'admin' ? null : networkOf(auditActor().address ?? '')
