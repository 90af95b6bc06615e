import { networkPersonalData } from '#auth/known-networks.personal-data.ts'
import { apiKeyPersonalData } from '#resources/api-keys/personal-data.ts'
import { auditPersonalData } from '#resources/audit-events/personal-data.ts'
import { cartPersonalData } from '#resources/carts/personal-data.ts'
import { erasurePersonalData } from '#resources/erasures/personal-data.ts'
import { oauthClientPersonalData } from '#resources/oauth-clients/personal-data.ts'
import { oauthConsentPersonalData } from '#resources/oauth-consents/personal-data.ts'
import { orderPersonalData } from '#resources/orders/personal-data.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { purchasePersonalData } from '#resources/purchases/personal-data.ts'
import { reviewPersonalData } from '#resources/reviews/personal-data.ts'
import { sessionPersonalData } from '#resources/sessions/personal-data.ts'
import { idempotencyPersonalData } from './idempotency-personal-data.ts'

/**
 * Everything that is held on users beside their own row, in the order in which it is erased. Whoever
 * keeps something about a user adds a line here; a test finds the tables that nobody has spoken for.
 */
export const personalDataDeclarations: readonly PersonalData[] = [
  sessionPersonalData,
  networkPersonalData,
  apiKeyPersonalData,
  cartPersonalData,
  reviewPersonalData,
  orderPersonalData,
  purchasePersonalData,
  oauthClientPersonalData,
  oauthConsentPersonalData,
  auditPersonalData,
  idempotencyPersonalData,
  erasurePersonalData,
]
