import { eraseResponsesOf } from '#http/pipeline/idempotency/store.ts'
import { apiKeyPersonalData } from '#shop/access/api-keys/personal-data.ts'
import { networkPersonalData } from '#shop/access/known-networks-personal-data.ts'
import { oauthClientPersonalData } from '#shop/access/oauth-clients/personal-data.ts'
import { oauthConsentPersonalData } from '#shop/access/oauth-consents/personal-data.ts'
import { sessionPersonalData } from '#shop/access/sessions/personal-data.ts'
import { addressPersonalData } from '#shop/accounts/addresses/personal-data.ts'
import { erasurePersonalData } from '#shop/accounts/erasures/personal-data.ts'
import { userWords } from '#shop/accounts/users/table.ts'
import { auditEventPersonalData } from '#shop/audit/personal-data.ts'
import { reviewPersonalData } from '#shop/catalogue/reviews/personal-data.ts'
import { cartPersonalData } from '#shop/checkout/carts/personal-data.ts'
import { discountUsePersonalData } from '#shop/checkout/discounts/uses.ts'
import { eventPersonalData } from '#shop/events/feed/personal-data.ts'
import { operationPersonalData } from '#shop/imports/personal-data.ts'
import { mailPersonalData } from '#shop/messages/mails/personal-data.ts'
import { deliveryPersonalData } from '#shop/messages/webhooks/personal-data.ts'
import { webhooks } from '#shop/messages/webhooks/table.ts'
import { guestOrderJoins } from '#shop/orders/guest-orders/table.ts'
import { orderPersonalData } from '#shop/orders/orders/personal-data.ts'
import { purchasePersonalData } from '#shop/orders/purchases/personal-data.ts'
import { ownedRows } from '#shop/owned-rows.ts'
import type { PersonalData } from '#shop/personal-data.ts'

const idempotencyPersonalData: PersonalData = {
  name: 'answers',
  description: 'Responses stored under an Idempotency-Key.',
  tables: ['idempotency_keys'],
  erase: (db, { id }) => eraseResponsesOf(db, id),
}

/**
 * The personal data outside the `users` table, in the order of erasure. Every table must be declared
 * here or listed as impersonal in the test.
 */
export const personalDataDeclarations: readonly PersonalData[] = [
  ownedRows(userWords),
  sessionPersonalData,
  networkPersonalData,
  apiKeyPersonalData,
  cartPersonalData,
  addressPersonalData,
  reviewPersonalData,
  orderPersonalData,
  ownedRows(guestOrderJoins),
  discountUsePersonalData,
  purchasePersonalData,
  oauthClientPersonalData,
  oauthConsentPersonalData,
  auditEventPersonalData,
  // Before the events, by which deliveries are found.
  deliveryPersonalData,
  ownedRows(webhooks),
  eventPersonalData,
  mailPersonalData,
  operationPersonalData,
  idempotencyPersonalData,
  erasurePersonalData,
]
