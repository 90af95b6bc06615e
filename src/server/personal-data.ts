import { networkPersonalData } from '#auth/known-networks-personal-data.ts'
import { deleteResponsesOf } from '#http/pipeline/idempotency/store.ts'
import { addressPersonalData } from '#resources/addresses/personal-data.ts'
import { apiKeyPersonalData } from '#resources/api-keys/personal-data.ts'
import { auditEventPersonalData } from '#resources/audit-events/personal-data.ts'
import { cartPersonalData } from '#resources/carts/personal-data.ts'
import { discountPersonalData } from '#resources/discounts/personal-data.ts'
import { erasurePersonalData } from '#resources/erasures/personal-data.ts'
import { eventPersonalData } from '#resources/events/personal-data.ts'
import { operationPersonalData } from '#resources/imports/personal-data.ts'
import { mailPersonalData } from '#resources/mails/personal-data.ts'
import { oauthClientPersonalData } from '#resources/oauth-clients/personal-data.ts'
import { oauthConsentPersonalData } from '#resources/oauth-consents/personal-data.ts'
import { orderPersonalData } from '#resources/orders/personal-data.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { purchasePersonalData } from '#resources/purchases/personal-data.ts'
import { reviewPersonalData } from '#resources/reviews/personal-data.ts'
import { sessionPersonalData } from '#resources/sessions/personal-data.ts'
import { deliveryPersonalData } from '#resources/webhooks/personal-data.ts'

const idempotencyPersonalData: PersonalData = {
  name: 'answers',
  description: 'Responses stored under an Idempotency-Key.',
  tables: ['idempotency_keys'],
  erase: (db, { id }) => deleteResponsesOf(db, id),
}

/**
 * The personal data outside the `users` table, in the order of erasure. Every table must be declared
 * here or listed as impersonal in the test.
 */
export const personalDataDeclarations: readonly PersonalData[] = [
  sessionPersonalData,
  networkPersonalData,
  apiKeyPersonalData,
  cartPersonalData,
  addressPersonalData,
  reviewPersonalData,
  orderPersonalData,
  discountPersonalData,
  purchasePersonalData,
  oauthClientPersonalData,
  oauthConsentPersonalData,
  auditEventPersonalData,
  // Before the events, by which deliveries are found.
  deliveryPersonalData,
  eventPersonalData,
  mailPersonalData,
  operationPersonalData,
  idempotencyPersonalData,
  erasurePersonalData,
]
