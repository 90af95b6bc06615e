import type { Tag } from '#http/declare/operation-options.ts'
import { type Route, tagged } from '#http/declare/route.ts'
import { apiKeyRoutes } from '#shop/access/api-keys/resource.ts'
import { guestRoutes } from '#shop/access/guests/resource.ts'
import { oauthClientRoutes } from '#shop/access/oauth-clients/resource.ts'
import { oauthConsentRoutes } from '#shop/access/oauth-consents/resource.ts'
import { sessionRoutes } from '#shop/access/sessions/resource.ts'
import { addressChangeLink } from '#shop/accounts/address-changes/link.ts'
import { addressRoutes } from '#shop/accounts/addresses/resource.ts'
import { buttonLinkRoutes } from '#shop/accounts/button-link.ts'
import { emailConfirmationRoutes } from '#shop/accounts/email-confirmations/resource.ts'
import { erasureRoutes } from '#shop/accounts/erasures/resource.ts'
import { passwordResetRoutes } from '#shop/accounts/password-resets/resource.ts'
import { profileRoutes } from '#shop/accounts/profile/resource.ts'
import { userDataInclude } from '#shop/accounts/users/actions.ts'
import { userRoutes } from '#shop/accounts/users/resource.ts'
import { auditEventRoutes } from '#shop/audit/resource.ts'
import { categoryRoutes } from '#shop/catalogue/categories/resource.ts'
import { feedRoutes } from '#shop/catalogue/feeds/resource.ts'
import { imageRoutes } from '#shop/catalogue/images/resource.ts'
import { priceRoutes } from '#shop/catalogue/prices/resource.ts'
import { productRoutes } from '#shop/catalogue/products/resource.ts'
import { reviewRoutes } from '#shop/catalogue/reviews/resource.ts'
import { cartRoutes } from '#shop/checkout/carts/resource.ts'
import { renameCategoryInSettings } from '#shop/checkout/category-names-store.ts'
import { discountRoutes } from '#shop/checkout/discounts/discounts.ts'
import { shippingMethodRoutes } from '#shop/checkout/shipping-methods.ts'
import { taxRateRoutes } from '#shop/checkout/tax-rates.ts'
import { eventRoutes } from '#shop/events/feed/resource.ts'
import { importRoutes } from '#shop/imports/resource.ts'
import { webhookRoutes } from '#shop/messages/webhooks/resource.ts'
import { orderItemRoutes } from '#shop/orders/order-items/resource.ts'
import { orderRoutes } from '#shop/orders/orders/resource.ts'
import { parcelRoutes } from '#shop/orders/parcels/resource.ts'
import { notificationRoutes, paymentRoutes } from '#shop/orders/payments/resource.ts'
import { purchaseRoutes } from '#shop/orders/purchases/resource.ts'
import { refundRoutes } from '#shop/orders/refunds/resource.ts'
import { returnRoutes } from '#shop/orders/returns/resource.ts'
import { shippingRoutes } from '#shop/orders/shipping/resource.ts'
import { wouldYield } from '#shop/orders/unpaid/yielding.ts'
import { withdrawalRoutes } from '#shop/orders/withdrawals/resource.ts'
import { problemRoutes } from '#shop/problems/resource.ts'
import { rootRoutes } from '#shop/root/resource.ts'
import type { Parts } from './parts.ts'

/** The groups of the OpenAPI document, in the order in which a newcomer needs them. */
const tags = {
  start: {
    name: 'Start',
    description: 'The root, whose links lead to everything, and the error codes.',
  },
  catalogue: { name: 'Catalogue', description: 'Find products, read and write reviews.' },
  account: {
    name: 'Account',
    description: 'Sign up, log in, and keep or erase what the shop knows about a user.',
  },
  cart: { name: 'Cart', description: 'Collect the products to buy.' },
  checkout: {
    name: 'Checkout',
    description: 'Place an order, say where to send it, pay for it and follow it.',
  },
  access: {
    name: 'Access',
    description: 'API keys and OAuth clients, with which programs act for users.',
  },
  settings: {
    name: 'Settings',
    description: 'What shipping costs, which taxes apply, and which discounts there are.',
  },
  events: { name: 'Events', description: 'What has changed in the shop, for other systems.' },
  imports: { name: 'Imports', description: 'Create and change much at once, from files.' },
  audit: { name: 'Audit', description: 'Who did what to accounts and credentials.' },
  operation: {
    name: 'Operation',
    description:
      'The state of the server, this reference, and the notifications of payment providers.',
  },
} as const satisfies Readonly<Record<string, Tag>>

/** The groups in their order. */
export const orderedTags: readonly Tag[] = Object.values(tags)

/** The routes that describe and watch the server itself. */
interface ServerRoutes {
  readonly documentation: readonly Route[]
  readonly monitoring: readonly Route[]
}

const checkoutRoutes = (parts: Parts): readonly Route[] => [
  ...orderRoutes(parts),
  ...orderItemRoutes(),
  ...shippingRoutes(parts.shop),
  ...paymentRoutes(parts),
  ...refundRoutes(parts),
  ...parcelRoutes(),
  ...returnRoutes(parts),
  ...withdrawalRoutes(parts),
  ...purchaseRoutes(),
]

/** Returns every route, by tag. */
export function allRoutes(
  parts: Parts,
  { documentation, monitoring }: ServerRoutes,
): readonly Route[] {
  const { shop, issuer } = parts
  const since = parts.clock()
  const dataExport = userDataInclude(parts.personalDataDeclarations)
  return [
    ...tagged(tags.start, [...rootRoutes(shop, since), ...problemRoutes(since)]),
    // Before the operations that take values: tools that try every request begin with these.
    ...tagged(tags.operation, [...documentation, ...monitoring]),
    ...tagged(tags.catalogue, [
      ...productRoutes(shop, issuer),
      ...imageRoutes(parts),
      ...categoryRoutes(renameCategoryInSettings),
      ...priceRoutes(),
      ...feedRoutes(shop, parts.shopName, issuer),
      ...reviewRoutes(),
    ]),
    ...tagged(tags.account, [
      ...userRoutes(parts, dataExport),
      ...sessionRoutes(parts),
      ...guestRoutes(parts.tokens),
      ...passwordResetRoutes(parts),
      ...emailConfirmationRoutes(parts),
      ...buttonLinkRoutes(parts, addressChangeLink),
      ...profileRoutes(dataExport),
      ...addressRoutes(),
      ...erasureRoutes(parts),
    ]),
    ...tagged(
      tags.cart,
      cartRoutes(shop, (db, wanted) => wouldYield(db, wanted, parts, parts.clock())),
    ),
    ...tagged(tags.checkout, checkoutRoutes(parts)),
    ...tagged(tags.access, [
      ...apiKeyRoutes(),
      ...oauthClientRoutes(issuer),
      ...oauthConsentRoutes(),
    ]),
    ...tagged(tags.settings, [...shippingMethodRoutes(), ...taxRateRoutes(), ...discountRoutes()]),
    ...tagged(tags.events, [...eventRoutes(issuer, parts.eventFeed), ...webhookRoutes(parts)]),
    ...tagged(tags.imports, importRoutes(shop, parts.wakeImports)),
    ...tagged(tags.audit, auditEventRoutes()),
    ...tagged(tags.operation, notificationRoutes(parts)),
  ]
}
