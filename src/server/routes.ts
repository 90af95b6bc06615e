import type { Tag } from '#http/declare/operation-options.ts'
import { type Route, tagged } from '#http/declare/route.ts'
import { addressRoutes } from '#resources/addresses/resource.ts'
import { apiKeyRoutes } from '#resources/api-keys/resource.ts'
import { auditEventRoutes } from '#resources/audit-events/resource.ts'
import { cartRoutes } from '#resources/carts/resource.ts'
import { categoryRoutes } from '#resources/categories/resource.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import { discountRoutes } from '#resources/discounts/resource.ts'
import { emailConfirmationRoutes } from '#resources/email-confirmations/resource.ts'
import { erasureRoutes } from '#resources/erasures/resource.ts'
import { eventRoutes } from '#resources/events/resource.ts'
import { guestRoutes } from '#resources/guests/resource.ts'
import { imageRoutes } from '#resources/images/resource.ts'
import { importRoutes, type WakeImports } from '#resources/imports/resource.ts'
import { oauthClientRoutes } from '#resources/oauth-clients/resource.ts'
import { oauthConsentRoutes } from '#resources/oauth-consents/resource.ts'
import { orderItemRoutes } from '#resources/order-items/resource.ts'
import { orderRoutes } from '#resources/orders/resource.ts'
import { passwordResetRoutes } from '#resources/password-resets/resource.ts'
import type { PaymentDependencies } from '#resources/payments/dependencies.ts'
import { notificationRoutes, paymentRoutes } from '#resources/payments/resource.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { problemRoutes } from '#resources/problems/resource.ts'
import { productRoutes } from '#resources/products/resource.ts'
import { profileRoutes } from '#resources/profile/resource.ts'
import { purchaseRoutes } from '#resources/purchases/resource.ts'
import { refundRoutes } from '#resources/refunds/resource.ts'
import { reviewRoutes } from '#resources/reviews/resource.ts'
import { rootRoutes } from '#resources/root/resource.ts'
import { sessionRoutes } from '#resources/sessions/resource.ts'
import { shippingRoutes } from '#resources/shipping/resource.ts'
import { shippingMethodRoutes } from '#resources/shipping-methods/resource.ts'
import { taxRateRoutes } from '#resources/tax-rates/resource.ts'
import { userDataInclude } from '#resources/users/actions.ts'
import { userRoutes } from '#resources/users/resource.ts'
import { webhookRoutes } from '#resources/webhooks/resource.ts'
import type { EventFeed } from '#src/events/feed.ts'

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

/** The routes that no resource declares, and what serves events. */
export interface Services {
  readonly eventFeed: EventFeed
  readonly wakeImports: WakeImports
  readonly documentation: readonly Route[]
  readonly monitoring: readonly Route[]
}

/** Returns every route, by tag. */
export function allRoutes(
  dependencies: Dependencies,
  paymentDependencies: PaymentDependencies,
  personalDataDeclarations: readonly PersonalData[],
  { documentation, monitoring, eventFeed, wakeImports }: Services,
): readonly Route[] {
  const { shop, files, issuer: baseUrl } = dependencies
  const since = paymentDependencies.clock()
  const dataExport = userDataInclude(personalDataDeclarations)
  const graceDays = dependencies.eraseGraceDays ?? 7
  return [
    ...tagged(tags.start, [...rootRoutes(since), ...problemRoutes(since)]),
    // Before the operations that take values: tools that try every request begin with these.
    ...tagged(tags.operation, [...documentation, ...monitoring]),
    ...tagged(tags.catalogue, [
      ...productRoutes(shop, baseUrl),
      ...imageRoutes({ files, shop, baseUrl }),
      ...categoryRoutes(),
      ...reviewRoutes(),
    ]),
    ...tagged(tags.account, [
      ...userRoutes(dependencies, personalDataDeclarations, dataExport),
      ...sessionRoutes({ ...dependencies, personalDataDeclarations }),
      ...guestRoutes(dependencies.tokens),
      ...passwordResetRoutes(dependencies),
      ...emailConfirmationRoutes(dependencies),
      ...profileRoutes(dataExport),
      ...addressRoutes(),
      ...erasureRoutes(dependencies, { personalDataDeclarations, graceDays }),
    ]),
    ...tagged(tags.cart, cartRoutes(shop)),
    ...tagged(tags.checkout, [
      ...orderRoutes(shop, paymentDependencies),
      ...orderItemRoutes(),
      ...shippingRoutes(shop),
      ...paymentRoutes(paymentDependencies),
      ...refundRoutes(paymentDependencies),
      ...purchaseRoutes(),
    ]),
    ...tagged(tags.access, [
      ...apiKeyRoutes(),
      ...oauthClientRoutes(dependencies.issuer),
      ...oauthConsentRoutes(),
    ]),
    ...tagged(tags.settings, [...shippingMethodRoutes(), ...taxRateRoutes(), ...discountRoutes()]),
    ...tagged(tags.events, [
      ...eventRoutes(dependencies.issuer, eventFeed),
      ...webhookRoutes(dependencies.webhooks),
    ]),
    ...tagged(tags.imports, importRoutes(wakeImports)),
    ...tagged(tags.audit, auditEventRoutes()),
    ...tagged(tags.operation, notificationRoutes(paymentDependencies)),
  ]
}
