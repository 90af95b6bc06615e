import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createInitialTables } from './0001-initial.ts'
import { createIdempotencyKeys } from './0002-idempotency-keys.ts'
import { createOauth } from './0003-oauth.ts'
import { createCounts } from './0004-counts.ts'
import { createListIndexes } from './0005-list-indexes.ts'
import { createAuditEvents } from './0006-audit-events.ts'
import { createProductWords } from './0007-product-words.ts'
import { createApiKeys } from './0008-api-keys.ts'
import { createDigest } from './0009-digest.ts'
import { createErasures } from './0010-erasures.ts'
import { createSessions } from './0011-sessions.ts'
import { addIdempotencyOwners } from './0012-idempotency-owners.ts'
import { createRequireRows } from './0013-require-rows.ts'
import { createOauthConsents } from './0014-oauth-consents.ts'
import { removeIndexes } from './0015-fewer-indexes.ts'
import { indexUnsettledPayments } from './0016-unsettled-payments.ts'
import { replaceCounterTriggers } from './0017-plain-counting.ts'
import { addKeyOrigins } from './0018-key-origins.ts'
import { createKnownNetworks } from './0020-known-networks.ts'
import { addSessionKind } from './0022-browser-sessions.ts'
import { extendOauthClients } from './0023-client-secrets.ts'
import { truncateErasedDates } from './0024-erased-dates.ts'
import { createEvents } from './0025-events.ts'
import { createPrices } from './0030-prices.ts'
import { addPaymentActions } from './0031-payment-actions.ts'
import { addEventErasures } from './0032-event-erasures.ts'
import { createWebhooks } from './0033-webhooks.ts'
import { createMails } from './0035-mails.ts'
import { addAbandonedCarts } from './0036-abandoned-carts.ts'
import { createRefunds } from './0037-refunds.ts'
import { addGuests } from './0040-guests.ts'
import { createAddresses } from './0041-addresses.ts'
import { addVariants } from './0042-variants.ts'
import { createFacets } from './0043-facets.ts'
import { addReviewStatus } from './0045-review-status.ts'
import { addKeyRateLimits } from './0046-key-rate-limits.ts'
import { createOperations } from './0050-operations.ts'
import { createImages } from './0055-images.ts'
import { addMailRecipients } from './0056-mail-recipients.ts'
import { addImportAttempts } from './0057-import-attempts.ts'
import { addImportKeys } from './0058-import-keys.ts'
import { addItemOptions } from './0059-item-options.ts'
import { addWebhookActivations } from './0060-webhook-activations.ts'

/** A migration; its name is stored in the database and never changes. */
export interface Migration {
  readonly name: string
  /** The name that databases of earlier versions store. */
  readonly formerName?: string
  up(db: Kysely<Tables>): Promise<void>
}

/** Every migration, in order. */
export const migrations: readonly Migration[] = [
  { name: '0001-initial', up: createInitialTables },
  { name: '0002-idempotency-keys', up: createIdempotencyKeys },
  { name: '0003-oauth', up: createOauth },
  { name: '0004-counts', up: createCounts },
  { name: '0005-list-indexes', up: createListIndexes },
  { name: '0006-audit-events', up: createAuditEvents },
  { name: '0007-product-words', up: createProductWords },
  { name: '0008-api-keys', up: createApiKeys },
  { name: '0009-digest', up: createDigest },
  { name: '0010-erasures', up: createErasures },
  { name: '0011-sessions', up: createSessions },
  { name: '0012-idempotency-owners', formerName: '0012-whose-answers', up: addIdempotencyOwners },
  { name: '0013-require-rows', up: createRequireRows },
  { name: '0014-oauth-consents', up: createOauthConsents },
  { name: '0015-fewer-indexes', up: removeIndexes },
  { name: '0016-unsettled-payments', up: indexUnsettledPayments },
  { name: '0017-plain-counting', up: replaceCounterTriggers },
  { name: '0018-key-origins', up: addKeyOrigins },
  { name: '0020-known-networks', up: createKnownNetworks },
  { name: '0022-browser-sessions', up: addSessionKind },
  { name: '0023-client-secrets', up: extendOauthClients },
  { name: '0024-erased-dates', formerName: '0024-days-of-the-erased', up: truncateErasedDates },
  { name: '0025-events', up: createEvents },
  { name: '0030-prices', up: createPrices },
  { name: '0031-payment-actions', up: addPaymentActions },
  { name: '0032-event-erasures', up: addEventErasures },
  { name: '0033-webhooks', up: createWebhooks },
  { name: '0035-mails', up: createMails },
  { name: '0036-abandoned-carts', up: addAbandonedCarts },
  { name: '0037-refunds', up: createRefunds },
  { name: '0040-guests', up: addGuests },
  { name: '0041-addresses', up: createAddresses },
  { name: '0042-variants', up: addVariants },
  { name: '0043-facets', up: createFacets },
  { name: '0045-review-status', up: addReviewStatus },
  { name: '0046-key-rate-limits', up: addKeyRateLimits },
  { name: '0050-operations', up: createOperations },
  { name: '0055-images', up: createImages },
  { name: '0056-mail-recipients', up: addMailRecipients },
  { name: '0057-import-attempts', up: addImportAttempts },
  { name: '0058-import-keys', up: addImportKeys },
  { name: '0059-item-options', up: addItemOptions },
  { name: '0060-webhook-activations', up: addWebhookActivations },
]
