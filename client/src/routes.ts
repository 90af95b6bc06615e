// Generated from docs/generated/openapi.json by `npm run generate`.

import type { operations } from './openapi.ts'

/** The routes of the API: method and path. */
export interface Routes {
  readonly 'GET /': { query: undefined; body: undefined; answer: operations['getEntry']['responses'][200]['content']['application/json'] }
  readonly 'GET /problems': { query: undefined; body: undefined; answer: operations['getProblems']['responses'][200]['content']['application/json'] }
  readonly 'GET /problems/{code}': { query: undefined; body: undefined; answer: operations['getProblem']['responses'][200]['content']['application/json'] }
  readonly 'GET /openapi.json': { query: undefined; body: undefined; answer: operations['getOpenApiDocument']['responses'][200]['content']['application/json'] }
  readonly 'GET /docs': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /docs/tasks': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /docs/reference.js': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /changes': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /.well-known/api-catalog': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /health/live': { query: undefined; body: undefined; answer: operations['checkLiveness']['responses'][200]['content']['application/json'] }
  readonly 'GET /health/ready': { query: NonNullable<operations['checkReadiness']['parameters']['query']>; body: undefined; answer: operations['checkReadiness']['responses'][200]['content']['application/json'] }
  readonly 'GET /metrics': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /products': { query: NonNullable<operations['listProducts']['parameters']['query']>; body: undefined; answer: operations['listProducts']['responses'][200]['content']['application/json'] }
  readonly 'POST /products': { query: undefined; body: NonNullable<operations['createProduct']['requestBody']>['content']['application/json']; answer: operations['createProduct']['responses'][201]['content']['application/json'] }
  readonly 'GET /products/{productId}': { query: NonNullable<operations['getProduct']['parameters']['query']>; body: undefined; answer: operations['getProduct']['responses'][200]['content']['application/json'] }
  readonly 'PUT /products/{productId}': { query: undefined; body: NonNullable<operations['replaceProduct']['requestBody']>['content']['application/json']; answer: operations['replaceProduct']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /products/{productId}': { query: undefined; body: NonNullable<operations['updateProduct']['requestBody']>['content']['application/json']; answer: operations['updateProduct']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /products/{productId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /products/{productId}/related': { query: NonNullable<operations['listRelatedProducts']['parameters']['query']>; body: undefined; answer: operations['listRelatedProducts']['responses'][200]['content']['application/json'] }
  readonly 'GET /products/{productId}/variants': { query: NonNullable<operations['listVariants']['parameters']['query']>; body: undefined; answer: operations['listVariants']['responses'][200]['content']['application/json'] }
  readonly 'POST /products/{productId}/variants': { query: undefined; body: NonNullable<operations['createVariant']['requestBody']>['content']['application/json']; answer: operations['createVariant']['responses'][201]['content']['application/json'] }
  readonly 'GET /products/{productId}/images': { query: NonNullable<operations['listImages']['parameters']['query']>; body: undefined; answer: operations['listImages']['responses'][200]['content']['application/json'] }
  readonly 'POST /products/{productId}/images': { query: undefined; body: undefined; answer: operations['createImage']['responses'][201]['content']['application/json'] }
  readonly 'GET /products/{productId}/images/{imageId}': { query: undefined; body: undefined; answer: operations['getImage']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /products/{productId}/images/{imageId}': { query: undefined; body: NonNullable<operations['updateImage']['requestBody']>['content']['application/json']; answer: operations['updateImage']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /products/{productId}/images/{imageId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /files/{fileName}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /categories': { query: NonNullable<operations['listCategories']['parameters']['query']>; body: undefined; answer: operations['listCategories']['responses'][200]['content']['application/json'] }
  readonly 'POST /categories': { query: undefined; body: NonNullable<operations['createCategory']['requestBody']>['content']['application/json']; answer: operations['createCategory']['responses'][201]['content']['application/json'] }
  readonly 'GET /categories/{categoryId}': { query: undefined; body: undefined; answer: operations['getCategory']['responses'][200]['content']['application/json'] }
  readonly 'PUT /categories/{categoryId}': { query: undefined; body: NonNullable<operations['replaceCategory']['requestBody']>['content']['application/json']; answer: operations['replaceCategory']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /categories/{categoryId}': { query: undefined; body: NonNullable<operations['updateCategory']['requestBody']>['content']['application/json']; answer: operations['updateCategory']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /categories/{categoryId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /products/{productId}/prices': { query: NonNullable<operations['listPrices']['parameters']['query']>; body: undefined; answer: operations['listPrices']['responses'][200]['content']['application/json'] }
  readonly 'GET /feeds/google-merchant': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /sitemap': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /sitemap/{part}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /products/{productId}/reviews': { query: NonNullable<operations['listReviews']['parameters']['query']>; body: undefined; answer: operations['listReviews']['responses'][200]['content']['application/json'] }
  readonly 'POST /products/{productId}/reviews': { query: undefined; body: NonNullable<operations['createReview']['requestBody']>['content']['application/json']; answer: operations['createReview']['responses'][201]['content']['application/json'] }
  readonly 'GET /products/{productId}/reviews/{reviewId}': { query: undefined; body: undefined; answer: operations['getReview']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /products/{productId}/reviews/{reviewId}': { query: undefined; body: NonNullable<operations['updateReview']['requestBody']>['content']['application/json']; answer: operations['updateReview']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /products/{productId}/reviews/{reviewId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /users': { query: NonNullable<operations['listUsers']['parameters']['query']>; body: undefined; answer: operations['listUsers']['responses'][200]['content']['application/json'] }
  readonly 'POST /users': { query: undefined; body: NonNullable<operations['signUp']['requestBody']>['content']['application/json']; answer: operations['signUp']['responses'][201]['content']['application/json'] }
  readonly 'GET /users/{id}': { query: NonNullable<operations['getUser']['parameters']['query']>; body: undefined; answer: operations['getUser']['responses'][200]['content']['application/json'] }
  readonly 'PUT /users/{id}': { query: undefined; body: NonNullable<operations['replaceUser']['requestBody']>['content']['application/json']; answer: operations['replaceUser']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /users/{id}': { query: undefined; body: NonNullable<operations['updateUser']['requestBody']>['content']['application/json']; answer: operations['updateUser']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /login': { query: undefined; body: NonNullable<operations['logIn']['requestBody']>['content']['application/json']; answer: operations['logIn']['responses'][200]['content']['application/json'] }
  readonly 'GET /sessions': { query: NonNullable<operations['listSessions']['parameters']['query']>; body: undefined; answer: operations['listSessions']['responses'][200]['content']['application/json'] }
  readonly 'GET /sessions/{sessionId}': { query: undefined; body: undefined; answer: operations['getSession']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /sessions/{sessionId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /guests': { query: undefined; body: NonNullable<operations['startAsGuest']['requestBody']>['content']['application/json']; answer: operations['startAsGuest']['responses'][201]['content']['application/json'] }
  readonly 'POST /password-resets': { query: undefined; body: NonNullable<operations['requestPasswordReset']['requestBody']>['content']['application/json']; answer: operations['requestPasswordReset']['responses'][202]['content']['application/json'] }
  readonly 'GET /password-resets/{token}': { query: undefined; body: undefined; answer: operations['getPasswordReset']['responses'][200]['content']['application/json'] }
  readonly 'PUT /password-resets/{token}': { query: undefined; body: NonNullable<operations['resetPassword']['requestBody']>['content']['application/json']; answer: undefined }
  readonly 'POST /users/{id}/email-confirmations': { query: undefined; body: NonNullable<operations['requestEmailConfirmation']['requestBody']>['content']['application/json']; answer: operations['requestEmailConfirmation']['responses'][202]['content']['application/json'] }
  readonly 'GET /email-confirmations/{token}': { query: undefined; body: undefined; answer: operations['getEmailConfirmation']['responses'][200]['content']['application/json'] }
  readonly 'PUT /email-confirmations/{token}': { query: undefined; body: NonNullable<operations['confirmEmail']['requestBody']>['content']['application/json']; answer: undefined }
  readonly 'GET /email-rejections/{token}': { query: undefined; body: undefined; answer: operations['getEmailRejection']['responses'][200]['content']['application/json'] }
  readonly 'PUT /email-rejections/{token}': { query: undefined; body: NonNullable<operations['rejectEmail']['requestBody']>['content']['application/json']; answer: undefined }
  readonly 'GET /address-changes/{token}': { query: undefined; body: undefined; answer: operations['getAddressChange']['responses'][200]['content']['application/json'] }
  readonly 'PUT /address-changes/{token}': { query: undefined; body: NonNullable<operations['undoAddressChange']['requestBody']>['content']['application/json']; answer: undefined }
  readonly 'GET /profile': { query: NonNullable<operations['getProfile']['parameters']['query']>; body: undefined; answer: operations['getProfile']['responses'][200]['content']['application/json'] }
  readonly 'GET /users/{id}/addresses': { query: NonNullable<operations['listAddresses']['parameters']['query']>; body: undefined; answer: operations['listAddresses']['responses'][200]['content']['application/json'] }
  readonly 'POST /users/{id}/addresses': { query: undefined; body: NonNullable<operations['createAddress']['requestBody']>['content']['application/json']; answer: operations['createAddress']['responses'][201]['content']['application/json'] }
  readonly 'GET /users/{id}/addresses/{addressId}': { query: undefined; body: undefined; answer: operations['getAddress']['responses'][200]['content']['application/json'] }
  readonly 'PUT /users/{id}/addresses/{addressId}': { query: undefined; body: NonNullable<operations['replaceAddress']['requestBody']>['content']['application/json']; answer: operations['replaceAddress']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /users/{id}/addresses/{addressId}': { query: undefined; body: NonNullable<operations['updateAddress']['requestBody']>['content']['application/json']; answer: operations['updateAddress']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}/addresses/{addressId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /user/delete': { query: undefined; body: NonNullable<operations['requestErasure']['requestBody']>['content']['application/json']; answer: operations['requestErasure']['responses'][202]['content']['application/json'] }
  readonly 'GET /user/delete': { query: undefined; body: undefined; answer: operations['getErasure']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /user/delete': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /users/{id}/cart': { query: undefined; body: undefined; answer: operations['getCart']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}/cart': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /cart': { query: undefined; body: undefined; answer: operations['getOwnCart']['responses'][200]['content']['application/json'] }
  readonly 'POST /cart': { query: undefined; body: NonNullable<operations['addToCart']['requestBody']>['content']['application/json']; answer: operations['addToCart']['responses'][200]['content']['application/json'] | operations['addToCart']['responses'][201]['content']['application/json'] }
  readonly 'PUT /users/{id}/cart/discount': { query: undefined; body: NonNullable<operations['replaceCartDiscount']['requestBody']>['content']['application/json']; answer: operations['replaceCartDiscount']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}/cart/discount': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /users/{id}/cart/status': { query: undefined; body: undefined; answer: operations['getCartStatus']['responses'][200]['content']['application/json'] }
  readonly 'GET /users/{id}/cart/items': { query: NonNullable<operations['listCartItems']['parameters']['query']>; body: undefined; answer: operations['listCartItems']['responses'][200]['content']['application/json'] }
  readonly 'POST /users/{id}/cart/items': { query: undefined; body: NonNullable<operations['addCartItem']['requestBody']>['content']['application/json']; answer: operations['addCartItem']['responses'][200]['content']['application/json'] | operations['addCartItem']['responses'][201]['content']['application/json'] }
  readonly 'GET /users/{id}/cart/items/{itemId}': { query: undefined; body: undefined; answer: operations['getCartItem']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /users/{id}/cart/items/{itemId}': { query: undefined; body: NonNullable<operations['updateCartItem']['requestBody']>['content']['application/json']; answer: operations['updateCartItem']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}/cart/items/{itemId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /orders': { query: NonNullable<operations['listOrders']['parameters']['query']>; body: undefined; answer: operations['listOrders']['responses'][200]['content']['application/json'] }
  readonly 'POST /orders': { query: undefined; body: NonNullable<operations['placeOwnOrder']['requestBody']>['content']['application/json']; answer: operations['placeOwnOrder']['responses'][201]['content']['application/json'] }
  readonly 'GET /orders/{orderId}': { query: NonNullable<operations['getOrder']['parameters']['query']>; body: undefined; answer: operations['getOrder']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /orders/{orderId}': { query: undefined; body: NonNullable<operations['updateOrder']['requestBody']>['content']['application/json']; answer: operations['updateOrder']['responses'][200]['content']['application/json'] }
  readonly 'GET /users/{id}/orders': { query: NonNullable<operations['listUserOrders']['parameters']['query']>; body: undefined; answer: operations['listUserOrders']['responses'][200]['content']['application/json'] }
  readonly 'POST /users/{id}/orders': { query: undefined; body: NonNullable<operations['placeOrder']['requestBody']>['content']['application/json']; answer: operations['placeOrder']['responses'][201]['content']['application/json'] }
  readonly 'GET /users/{id}/orders/{orderId}': { query: NonNullable<operations['getUserOrder']['parameters']['query']>; body: undefined; answer: operations['getUserOrder']['responses'][200]['content']['application/json'] }
  readonly 'PUT /users/{id}/orders/{orderId}': { query: undefined; body: NonNullable<operations['replaceUserOrder']['requestBody']>['content']['application/json']; answer: operations['replaceUserOrder']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /users/{id}/orders/{orderId}': { query: undefined; body: NonNullable<operations['updateUserOrder']['requestBody']>['content']['application/json']; answer: operations['updateUserOrder']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /users/{id}/orders/{orderId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /orders/{orderId}/items': { query: NonNullable<operations['listOrderItems']['parameters']['query']>; body: undefined; answer: operations['listOrderItems']['responses'][200]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/items/{itemId}': { query: undefined; body: undefined; answer: operations['getOrderItem']['responses'][200]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/shipping': { query: undefined; body: undefined; answer: operations['getOrderShipping']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /orders/{orderId}/shipping': { query: undefined; body: NonNullable<operations['updateOrderShipping']['requestBody']>['content']['application/json']; answer: operations['updateOrderShipping']['responses'][200]['content']['application/json'] }
  readonly 'PUT /orders/{orderId}/shipping': { query: undefined; body: NonNullable<operations['replaceOrderShipping']['requestBody']>['content']['application/json']; answer: operations['replaceOrderShipping']['responses'][200]['content']['application/json'] }
  readonly 'GET /users/{id}/orders/{orderId}/payment': { query: NonNullable<operations['listOrderPayments']['parameters']['query']>; body: undefined; answer: operations['listOrderPayments']['responses'][200]['content']['application/json'] }
  readonly 'POST /users/{id}/orders/{orderId}/payment': { query: undefined; body: NonNullable<operations['payOrder']['requestBody']>['content']['application/json']; answer: operations['payOrder']['responses'][201]['content']['application/json'] | operations['payOrder']['responses'][202]['content']['application/json'] }
  readonly 'GET /payments/{paymentId}': { query: undefined; body: undefined; answer: operations['getPayment']['responses'][200]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/refunds': { query: NonNullable<operations['listOrderRefunds']['parameters']['query']>; body: undefined; answer: operations['listOrderRefunds']['responses'][200]['content']['application/json'] }
  readonly 'POST /orders/{orderId}/refunds': { query: undefined; body: NonNullable<operations['refundOrder']['requestBody']>['content']['application/json']; answer: operations['refundOrder']['responses'][201]['content']['application/json'] | operations['refundOrder']['responses'][202]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/refunds/{refundId}': { query: undefined; body: undefined; answer: operations['getRefund']['responses'][200]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/parcels': { query: NonNullable<operations['listOrderParcels']['parameters']['query']>; body: undefined; answer: operations['listOrderParcels']['responses'][200]['content']['application/json'] }
  readonly 'POST /orders/{orderId}/parcels': { query: undefined; body: NonNullable<operations['sendParcel']['requestBody']>['content']['application/json']; answer: operations['sendParcel']['responses'][201]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/parcels/{parcelId}': { query: undefined; body: undefined; answer: operations['getParcel']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /orders/{orderId}/parcels/{parcelId}': { query: undefined; body: NonNullable<operations['updateParcel']['requestBody']>['content']['application/json']; answer: operations['updateParcel']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /orders/{orderId}/parcels/{parcelId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /orders/{orderId}/returns': { query: NonNullable<operations['listOrderReturns']['parameters']['query']>; body: undefined; answer: operations['listOrderReturns']['responses'][200]['content']['application/json'] }
  readonly 'POST /orders/{orderId}/returns': { query: undefined; body: NonNullable<operations['requestReturn']['requestBody']>['content']['application/json']; answer: operations['requestReturn']['responses'][201]['content']['application/json'] }
  readonly 'GET /orders/{orderId}/returns/{returnId}': { query: undefined; body: undefined; answer: operations['getReturn']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /orders/{orderId}/returns/{returnId}': { query: undefined; body: NonNullable<operations['updateReturn']['requestBody']>['content']['application/json']; answer: operations['updateReturn']['responses'][200]['content']['application/json'] }
  readonly 'POST /withdrawals': { query: undefined; body: NonNullable<operations['withdraw']['requestBody']>['content']['application/json']; answer: operations['withdraw']['responses'][202]['content']['application/json'] }
  readonly 'GET /purchases': { query: NonNullable<operations['listPurchases']['parameters']['query']>; body: undefined; answer: operations['listPurchases']['responses'][200]['content']['application/json'] }
  readonly 'GET /purchases/{purchaseId}': { query: undefined; body: undefined; answer: operations['getPurchase']['responses'][200]['content']['application/json'] }
  readonly 'GET /api-keys': { query: NonNullable<operations['listApiKeys']['parameters']['query']>; body: undefined; answer: operations['listApiKeys']['responses'][200]['content']['application/json'] }
  readonly 'POST /api-keys': { query: undefined; body: NonNullable<operations['createApiKey']['requestBody']>['content']['application/json']; answer: operations['createApiKey']['responses'][201]['content']['application/json'] }
  readonly 'GET /api-keys/{keyId}': { query: undefined; body: undefined; answer: operations['getApiKey']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /api-keys/{keyId}': { query: undefined; body: NonNullable<operations['updateApiKey']['requestBody']>['content']['application/json']; answer: operations['updateApiKey']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /api-keys/{keyId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /api-keys/{keyId}/rotations': { query: undefined; body: NonNullable<operations['rotateApiKey']['requestBody']>['content']['application/json']; answer: operations['rotateApiKey']['responses'][201]['content']['application/json'] }
  readonly 'GET /oauth-clients': { query: NonNullable<operations['listOauthClients']['parameters']['query']>; body: undefined; answer: operations['listOauthClients']['responses'][200]['content']['application/json'] }
  readonly 'POST /oauth-clients': { query: undefined; body: NonNullable<operations['registerOauthClient']['requestBody']>['content']['application/json']; answer: operations['registerOauthClient']['responses'][201]['content']['application/json'] }
  readonly 'GET /oauth-clients/{oauthClientId}': { query: undefined; body: undefined; answer: operations['getOauthClient']['responses'][200]['content']['application/json'] }
  readonly 'PUT /oauth-clients/{oauthClientId}': { query: undefined; body: NonNullable<operations['replaceOauthClient']['requestBody']>['content']['application/json']; answer: operations['replaceOauthClient']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /oauth-clients/{oauthClientId}': { query: undefined; body: NonNullable<operations['updateOauthClient']['requestBody']>['content']['application/json']; answer: operations['updateOauthClient']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /oauth-clients/{oauthClientId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /oauth-clients/{oauthClientId}/rotations': { query: undefined; body: NonNullable<operations['rotateOauthClientSecret']['requestBody']>['content']['application/json']; answer: operations['rotateOauthClientSecret']['responses'][201]['content']['application/json'] }
  readonly 'GET /oauth-consents': { query: NonNullable<operations['listOauthConsents']['parameters']['query']>; body: undefined; answer: operations['listOauthConsents']['responses'][200]['content']['application/json'] }
  readonly 'GET /oauth-consents/{consentId}': { query: undefined; body: undefined; answer: operations['getOauthConsent']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /oauth-consents/{consentId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /shipping-methods': { query: NonNullable<operations['listShippingMethods']['parameters']['query']>; body: undefined; answer: operations['listShippingMethods']['responses'][200]['content']['application/json'] }
  readonly 'POST /shipping-methods': { query: undefined; body: NonNullable<operations['createShippingMethod']['requestBody']>['content']['application/json']; answer: operations['createShippingMethod']['responses'][201]['content']['application/json'] }
  readonly 'GET /shipping-methods/{shippingMethodId}': { query: undefined; body: undefined; answer: operations['getShippingMethod']['responses'][200]['content']['application/json'] }
  readonly 'PUT /shipping-methods/{shippingMethodId}': { query: undefined; body: NonNullable<operations['replaceShippingMethod']['requestBody']>['content']['application/json']; answer: operations['replaceShippingMethod']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /shipping-methods/{shippingMethodId}': { query: undefined; body: NonNullable<operations['updateShippingMethod']['requestBody']>['content']['application/json']; answer: operations['updateShippingMethod']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /shipping-methods/{shippingMethodId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /tax-rates': { query: NonNullable<operations['listTaxRates']['parameters']['query']>; body: undefined; answer: operations['listTaxRates']['responses'][200]['content']['application/json'] }
  readonly 'POST /tax-rates': { query: undefined; body: NonNullable<operations['createTaxRate']['requestBody']>['content']['application/json']; answer: operations['createTaxRate']['responses'][201]['content']['application/json'] }
  readonly 'GET /tax-rates/{taxRateId}': { query: undefined; body: undefined; answer: operations['getTaxRate']['responses'][200]['content']['application/json'] }
  readonly 'PUT /tax-rates/{taxRateId}': { query: undefined; body: NonNullable<operations['replaceTaxRate']['requestBody']>['content']['application/json']; answer: operations['replaceTaxRate']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /tax-rates/{taxRateId}': { query: undefined; body: NonNullable<operations['updateTaxRate']['requestBody']>['content']['application/json']; answer: operations['updateTaxRate']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /tax-rates/{taxRateId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /discounts': { query: NonNullable<operations['listDiscounts']['parameters']['query']>; body: undefined; answer: operations['listDiscounts']['responses'][200]['content']['application/json'] }
  readonly 'POST /discounts': { query: undefined; body: NonNullable<operations['createDiscount']['requestBody']>['content']['application/json']; answer: operations['createDiscount']['responses'][201]['content']['application/json'] }
  readonly 'GET /discounts/{discountId}': { query: undefined; body: undefined; answer: operations['getDiscount']['responses'][200]['content']['application/json'] }
  readonly 'PUT /discounts/{discountId}': { query: undefined; body: NonNullable<operations['replaceDiscount']['requestBody']>['content']['application/json']; answer: operations['replaceDiscount']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /discounts/{discountId}': { query: undefined; body: NonNullable<operations['updateDiscount']['requestBody']>['content']['application/json']; answer: operations['updateDiscount']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /discounts/{discountId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /events': { query: NonNullable<operations['listEvents']['parameters']['query']>; body: undefined; answer: operations['listEvents']['responses'][200]['content']['application/json'] }
  readonly 'GET /events/{eventId}': { query: undefined; body: undefined; answer: operations['getEvent']['responses'][200]['content']['application/json'] }
  readonly 'GET /webhooks': { query: NonNullable<operations['listWebhooks']['parameters']['query']>; body: undefined; answer: operations['listWebhooks']['responses'][200]['content']['application/json'] }
  readonly 'POST /webhooks': { query: undefined; body: NonNullable<operations['createWebhook']['requestBody']>['content']['application/json']; answer: operations['createWebhook']['responses'][201]['content']['application/json'] }
  readonly 'GET /webhooks/{webhookId}': { query: undefined; body: undefined; answer: operations['getWebhook']['responses'][200]['content']['application/json'] }
  readonly 'PATCH /webhooks/{webhookId}': { query: undefined; body: NonNullable<operations['updateWebhook']['requestBody']>['content']['application/json']; answer: operations['updateWebhook']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /webhooks/{webhookId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'POST /webhooks/{webhookId}/rotations': { query: undefined; body: NonNullable<operations['rotateWebhookSecret']['requestBody']>['content']['application/json']; answer: operations['rotateWebhookSecret']['responses'][201]['content']['application/json'] }
  readonly 'POST /webhooks/{webhookId}/tests': { query: undefined; body: NonNullable<operations['testWebhook']['requestBody']>['content']['application/json']; answer: operations['testWebhook']['responses'][202]['content']['application/json'] }
  readonly 'GET /webhooks/{webhookId}/deliveries': { query: NonNullable<operations['listWebhookDeliveries']['parameters']['query']>; body: undefined; answer: operations['listWebhookDeliveries']['responses'][200]['content']['application/json'] }
  readonly 'GET /webhooks/{webhookId}/deliveries/{deliveryId}': { query: undefined; body: undefined; answer: operations['getWebhookDelivery']['responses'][200]['content']['application/json'] }
  readonly 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/retries': { query: undefined; body: NonNullable<operations['retryWebhookDelivery']['requestBody']>['content']['application/json']; answer: operations['retryWebhookDelivery']['responses'][202]['content']['application/json'] }
  readonly 'POST /imports': { query: NonNullable<operations['startImport']['parameters']['query']>; body: undefined; answer: operations['startImport']['responses'][200]['content']['application/json'] | operations['startImport']['responses'][202]['content']['application/json'] }
  readonly 'GET /operations': { query: NonNullable<operations['listOperations']['parameters']['query']>; body: undefined; answer: operations['listOperations']['responses'][200]['content']['application/json'] }
  readonly 'GET /operations/{operationId}': { query: undefined; body: undefined; answer: operations['getOperation']['responses'][200]['content']['application/json'] }
  readonly 'DELETE /operations/{operationId}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /operations/{operationId}/errors': { query: NonNullable<operations['listOperationErrors']['parameters']['query']>; body: undefined; answer: operations['listOperationErrors']['responses'][200]['content']['application/json'] }
  readonly 'GET /imports/templates/{resource}': { query: undefined; body: undefined; answer: undefined }
  readonly 'GET /audit-events': { query: NonNullable<operations['listAuditEvents']['parameters']['query']>; body: undefined; answer: operations['listAuditEvents']['responses'][200]['content']['application/json'] }
  readonly 'GET /audit-events/{eventId}': { query: undefined; body: undefined; answer: operations['getAuditEvent']['responses'][200]['content']['application/json'] }
  readonly 'POST /payment-notifications': { query: undefined; body: NonNullable<operations['receivePaymentNotification']['requestBody']>['content']['application/json']; answer: operations['receivePaymentNotification']['responses'][200]['content']['application/json'] }
}

/** What each link leads to, by the schema of its resource. */
export const links = {
  "Entry": {
    "products": "GET /products",
    "categories": "GET /categories",
    "sign_up": "POST /users",
    "start_as_guest": "POST /guests",
    "login": "POST /login",
    "reset_password": "POST /password-resets",
    "profile": "GET /profile",
    "sessions": "GET /sessions",
    "api_keys": "GET /api-keys",
    "oauth_consents": "GET /oauth-consents",
    "users": "GET /users",
    "cart": "GET /users/{id}/cart",
    "own_orders": "GET /users/{id}/orders",
    "orders": "GET /orders",
    "purchases": "GET /purchases",
    "shipping_methods": "GET /shipping-methods",
    "tax_rates": "GET /tax-rates",
    "discounts": "GET /discounts",
    "events": "GET /events",
    "webhooks": "GET /webhooks",
    "operations": "GET /operations",
    "audit_events": "GET /audit-events",
    "oauth_clients": "GET /oauth-clients",
    "create_product": "POST /products",
    "import": "POST /imports",
    "create_shipping_method": "POST /shipping-methods",
    "create_tax_rate": "POST /tax-rates",
    "create_discount": "POST /discounts",
    "create_webhook": "POST /webhooks",
    "documentation": "GET /docs",
    "openapi": "GET /openapi.json",
    "problems": "GET /problems",
    "health": "GET /health/live"
  },
  "Problems": {
    "entry": "GET /"
  },
  "Problem": {
    "problems": "GET /problems"
  },
  "Product": {
    "add_to_cart": "POST /cart",
    "variants": "GET /products/{productId}/variants",
    "parent": "GET /products/{productId}",
    "images": "GET /products/{productId}/images",
    "prices": "GET /products/{productId}/prices",
    "reviews": "GET /products/{productId}/reviews",
    "related_products": "GET /products/{productId}/related"
  },
  "Image": {
    "product": "GET /products/{productId}",
    "images": "GET /products/{productId}/images"
  },
  "Category": {
    "products": "GET /products",
    "parent": "GET /categories/{categoryId}",
    "children": "GET /categories"
  },
  "Review": {
    "product": "GET /products/{productId}",
    "reviews": "GET /products/{productId}/reviews",
    "hide": "PATCH /products/{productId}/reviews/{reviewId}",
    "publish": "PATCH /products/{productId}/reviews/{reviewId}"
  },
  "User": {
    "login": "POST /login",
    "orders": "GET /users/{id}/orders",
    "cart": "GET /users/{id}/cart",
    "addresses": "GET /users/{id}/addresses",
    "api_keys": "GET /api-keys",
    "register": "PATCH /users/{id}",
    "confirm_email": "POST /users/{id}/email-confirmations",
    "erasure": "POST /user/delete"
  },
  "Login": {
    "profile": "GET /profile",
    "session": "GET /sessions/{sessionId}",
    "logout": "DELETE /sessions/{sessionId}"
  },
  "Session": {
    "user": "GET /users/{id}"
  },
  "Guest": {
    "profile": "GET /profile",
    "cart": "GET /users/{id}/cart",
    "session": "GET /sessions/{sessionId}",
    "logout": "DELETE /sessions/{sessionId}"
  },
  "PasswordReset": {
    "replace": "PUT /password-resets/{token}"
  },
  "EmailConfirmationRequest": {
    "user": "GET /users/{id}"
  },
  "EmailConfirmation": {
    "confirm": "PUT /email-confirmations/{token}",
    "reject": "PUT /email-rejections/{token}"
  },
  "EmailRejection": {
    "reject": "PUT /email-rejections/{token}"
  },
  "AddressChange": {
    "undo": "PUT /address-changes/{token}"
  },
  "Profile": {
    "user": "GET /users/{id}",
    "orders": "GET /users/{id}/orders",
    "cart": "GET /users/{id}/cart",
    "addresses": "GET /users/{id}/addresses",
    "sessions": "GET /sessions",
    "oauth_consents": "GET /oauth-consents",
    "logout": "DELETE /sessions/{sessionId}",
    "register": "PATCH /users/{id}",
    "erasure": "POST /user/delete"
  },
  "Address": {
    "user": "GET /users/{id}",
    "make_default": "PATCH /users/{id}/addresses/{addressId}"
  },
  "Erasure": {
    "withdraw": "DELETE /user/delete",
    "user": "GET /users/{id}"
  },
  "Cart": {
    "items": "GET /users/{id}/cart/items",
    "status": "GET /users/{id}/cart/status",
    "add_item": "POST /users/{id}/cart/items",
    "apply_discount": "PUT /users/{id}/cart/discount",
    "remove_discount": "DELETE /users/{id}/cart/discount",
    "checkout": "POST /users/{id}/orders"
  },
  "CartStatus": {
    "cart": "GET /users/{id}/cart",
    "checkout": "POST /users/{id}/orders"
  },
  "CartItem": {
    "product": "GET /products/{productId}",
    "cart": "GET /users/{id}/cart"
  },
  "Order": {
    "items": "GET /orders/{orderId}/items",
    "shipping": "GET /orders/{orderId}/shipping",
    "payments": "GET /users/{id}/orders/{orderId}/payment",
    "parcels": "GET /orders/{orderId}/parcels",
    "returns": "GET /orders/{orderId}/returns",
    "refunds": "GET /orders/{orderId}/refunds",
    "user": "GET /users/{id}",
    "return": "POST /orders/{orderId}/returns",
    "pay": "POST /users/{id}/orders/{orderId}/payment",
    "cancel": "PATCH /orders/{orderId}",
    "ship": "PATCH /orders/{orderId}",
    "send": "POST /orders/{orderId}/parcels",
    "deliver": "PATCH /orders/{orderId}",
    "refund": "PATCH /orders/{orderId}"
  },
  "OrderItem": {
    "order": "GET /orders/{orderId}",
    "product": "GET /products/{productId}"
  },
  "OrderShipping": {
    "order": "GET /orders/{orderId}",
    "ship": "PATCH /orders/{orderId}/shipping"
  },
  "Payment": {
    "order": "GET /orders/{orderId}",
    "continue": "GET /payments/{paymentId}"
  },
  "Refund": {
    "order": "GET /orders/{orderId}",
    "payment": "GET /payments/{paymentId}"
  },
  "Parcel": {
    "order": "GET /orders/{orderId}",
    "deliver": "PATCH /orders/{orderId}/parcels/{parcelId}"
  },
  "Return": {
    "order": "GET /orders/{orderId}",
    "approve": "PATCH /orders/{orderId}/returns/{returnId}",
    "reject": "PATCH /orders/{orderId}/returns/{returnId}",
    "receive": "PATCH /orders/{orderId}/returns/{returnId}",
    "refund": "PATCH /orders/{orderId}/returns/{returnId}"
  },
  "Purchase": {
    "product": "GET /products/{productId}",
    "order": "GET /orders/{orderId}"
  },
  "ApiKey": {
    "user": "GET /users/{id}",
    "rotate": "POST /api-keys/{keyId}/rotations"
  },
  "OauthClient": {
    "rotate": "POST /oauth-clients/{oauthClientId}/rotations"
  },
  "OauthConsent": {
    "user": "GET /users/{id}",
    "client": "GET /oauth-clients/{oauthClientId}"
  },
  "Webhook": {
    "deliveries": "GET /webhooks/{webhookId}/deliveries",
    "rotate": "POST /webhooks/{webhookId}/rotations",
    "test": "POST /webhooks/{webhookId}/tests"
  },
  "WebhookDelivery": {
    "webhook": "GET /webhooks/{webhookId}",
    "retry": "POST /webhooks/{webhookId}/deliveries/{deliveryId}/retries"
  },
  "Operation": {
    "errors": "GET /operations/{operationId}/errors",
    "cancel": "DELETE /operations/{operationId}"
  },
  "AuditEvent": {
    "subject": "GET /users/{id}"
  }
} as const
