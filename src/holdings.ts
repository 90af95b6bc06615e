import { networkHolding } from '#identity/network-holding.ts'
import { apiKeyHolding } from '#resources/api-keys/holding.ts'
import { auditHolding } from '#resources/audit-events/holding.ts'
import { cartHolding } from '#resources/carts/holding.ts'
import { erasureHolding } from '#resources/erasures/holding.ts'
import { oauthClientHolding } from '#resources/oauth-clients/holding.ts'
import { oauthConsentHolding } from '#resources/oauth-consents/holding.ts'
import { orderHolding } from '#resources/orders/holding.ts'
import { purchaseHolding } from '#resources/purchases/holding.ts'
import { reviewHolding } from '#resources/reviews/holding.ts'
import { sessionHolding } from '#resources/sessions/holding.ts'
import { answerHolding } from '#store/answer-holding.ts'
import type { Holding } from '#store/holding.ts'

/**
 * Everything that is held on users beside their own row, in the order in which it is erased. Whoever
 * keeps something about a user adds a line here; a test finds the tables that nobody has spoken for.
 */
export const holdings: readonly Holding[] = [
  sessionHolding,
  networkHolding,
  apiKeyHolding,
  cartHolding,
  reviewHolding,
  orderHolding,
  purchaseHolding,
  oauthClientHolding,
  oauthConsentHolding,
  auditHolding,
  answerHolding,
  erasureHolding,
]
