import type { Route } from '#http/declare/operation.ts'
import { apiKeyRoutes } from '#resources/api-keys/resource.ts'
import { auditEventRoutes } from '#resources/audit-events/resource.ts'
import { cartRoutes } from '#resources/carts/resource.ts'
import type { Parts } from '#resources/dependencies.ts'
import { entryRoutes } from '#resources/entry/resource.ts'
import { erasureRoutes } from '#resources/erasures/resource.ts'
import { oauthClientRoutes } from '#resources/oauth-clients/resource.ts'
import { oauthConsentRoutes } from '#resources/oauth-consents/resource.ts'
import { orderItemRoutes } from '#resources/order-items/resource.ts'
import { orderRoutes } from '#resources/orders/resource.ts'
import type { Till } from '#resources/payments/actions.ts'
import { paymentRoutes } from '#resources/payments/resource.ts'
import type { Holding } from '#resources/personal-data.ts'
import { problemRoutes } from '#resources/problems/resource.ts'
import { productRoutes } from '#resources/products/resource.ts'
import { profileRoutes } from '#resources/profile/resource.ts'
import { purchaseRoutes } from '#resources/purchases/resource.ts'
import { reviewRoutes } from '#resources/reviews/resource.ts'
import { sessionRoutes } from '#resources/sessions/resource.ts'
import { shippingRoutes } from '#resources/shipping/resource.ts'
import { exportOf } from '#resources/users/actions.ts'
import { userRoutes } from '#resources/users/resource.ts'

/** Every resource that the API serves. */
export function allRoutes(
  parts: Parts,
  till: Till,
  holdings: readonly Holding[],
): readonly Route[] {
  const data = exportOf(holdings)
  return [
    ...entryRoutes(till.clock()),
    ...problemRoutes(till.clock()),
    ...userRoutes(parts, holdings, data),
    ...sessionRoutes(parts),
    ...profileRoutes(data),
    ...apiKeyRoutes(parts.apiKeys),
    ...productRoutes(parts.shop),
    ...reviewRoutes(),
    ...cartRoutes(parts.shop),
    ...orderRoutes(parts.shop, till),
    ...orderItemRoutes(),
    ...shippingRoutes(parts.shop),
    ...paymentRoutes(till),
    ...purchaseRoutes(),
    ...oauthClientRoutes(parts.issuer),
    ...oauthConsentRoutes(),
    ...auditEventRoutes(),
    ...erasureRoutes(parts, { holdings, graceDays: parts.eraseGraceDays ?? 7 }),
  ]
}
