import type { KnownNetworks } from '#shop/access/known-networks.ts'
import type { SignInParts } from '#shop/access/sessions/actions.ts'
import type { ErasureParts } from '#shop/accounts/erasures/actions.ts'
import type { NewPasswordParts } from '#shop/accounts/users/new-password.ts'
import type { ImageParts } from '#shop/catalogue/images/resource.ts'
import type { EventFeed } from '#shop/events/feed.ts'
import type { WakeImports } from '#shop/imports/resource.ts'
import type { AccountLinkParts } from '#shop/messages/mails/account-link.ts'
import type { WebhookParts } from '#shop/messages/webhooks/actions.ts'
import type { DispatcherParts } from '#shop/messages/webhooks/delivery/dispatcher.ts'
import type { OrderParts } from '#shop/orders/orders/fill-order.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import type { Db } from '#store/database.ts'

/**
 * The parts that the shop is made of, in one record. Each domain declares those that it needs, and
 * each function picks its own.
 */
export type Parts = NewPasswordParts &
  SignInParts &
  ErasureParts &
  AccountLinkParts &
  WebhookParts &
  Pick<DispatcherParts, 'sendWebhook' | 'webhookSecrets'> &
  ImageParts &
  OrderParts &
  RecoveryParts & {
    readonly db: Db
    readonly knownNetworks: KnownNetworks
    readonly eventFeed: EventFeed
    readonly wakeImports: WakeImports
  }
