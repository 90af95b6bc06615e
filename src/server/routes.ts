import type { Route } from '#http/declare/route.ts'
import { apiKeyRoutes } from '#resources/api-keys/resource.ts'
import { auditEventRoutes } from '#resources/audit-events/resource.ts'
import { cartRoutes } from '#resources/carts/resource.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import { entryRoutes } from '#resources/entry/resource.ts'
import { erasureRoutes } from '#resources/erasures/resource.ts'
import { oauthClientRoutes } from '#resources/oauth-clients/resource.ts'
import { oauthConsentRoutes } from '#resources/oauth-consents/resource.ts'
import { orderItemRoutes } from '#resources/order-items/resource.ts'
import { orderRoutes } from '#resources/orders/resource.ts'
import type { PaymentDependencies } from '#resources/payments/actions.ts'
import { paymentRoutes } from '#resources/payments/resource.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { problemRoutes } from '#resources/problems/resource.ts'
import { productRoutes } from '#resources/products/resource.ts'
import { profileRoutes } from '#resources/profile/resource.ts'
import { purchaseRoutes } from '#resources/purchases/resource.ts'
import { reviewRoutes } from '#resources/reviews/resource.ts'
import { sessionRoutes } from '#resources/sessions/resource.ts'
import { shippingRoutes } from '#resources/shipping/resource.ts'
import { userDataInclude } from '#resources/users/actions.ts'
import { userRoutes } from '#resources/users/resource.ts'

/** Returns the routes of every resource. */
export function allRoutes(
  dependencies: Dependencies,
  paymentDependencies: PaymentDependencies,
  personalDataDeclarations: readonly PersonalData[],
): readonly Route[] {
  const dataExport = userDataInclude(personalDataDeclarations)
  return [
    ...entryRoutes(paymentDependencies.clock()),
    ...problemRoutes(paymentDependencies.clock()),
    ...userRoutes(dependencies, personalDataDeclarations, dataExport),
    ...sessionRoutes(dependencies),
    ...profileRoutes(dataExport),
    ...apiKeyRoutes(dependencies.apiKeys),
    ...productRoutes(dependencies.shop),
    ...reviewRoutes(),
    ...cartRoutes(dependencies.shop),
    ...orderRoutes(dependencies.shop, paymentDependencies),
    ...orderItemRoutes(),
    ...shippingRoutes(dependencies.shop),
    ...paymentRoutes(paymentDependencies),
    ...purchaseRoutes(),
    ...oauthClientRoutes(dependencies.issuer),
    ...oauthConsentRoutes(),
    ...auditEventRoutes(),
    ...erasureRoutes(dependencies, {
      personalDataDeclarations,
      graceDays: dependencies.eraseGraceDays ?? 7,
    }),
  ]
}
