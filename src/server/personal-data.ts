import { networkHolding } from '#auth/known-networks.personal-data.ts'
import { apiKeyHolding } from '#resources/api-keys/personal-data.ts'
import { auditHolding } from '#resources/audit-events/personal-data.ts'
import { cartHolding } from '#resources/carts/personal-data.ts'
import { erasureHolding } from '#resources/erasures/personal-data.ts'
import { oauthClientHolding } from '#resources/oauth-clients/personal-data.ts'
import { oauthConsentHolding } from '#resources/oauth-consents/personal-data.ts'
import { orderHolding } from '#resources/orders/personal-data.ts'
import type { Holding } from '#resources/personal-data.ts'
import { purchaseHolding } from '#resources/purchases/personal-data.ts'
import { reviewHolding } from '#resources/reviews/personal-data.ts'
import { sessionHolding } from '#resources/sessions/personal-data.ts'
import { answerHolding } from './idempotency-personal-data.ts'

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
