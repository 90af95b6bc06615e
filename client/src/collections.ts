// Generated from docs/generated/openapi.json by `npm run generate`.

import type { Call, Route } from './resource.ts'

/** Reads the entry with an id. */
type Get<R extends Route> = (
  id: string | number,
  ...rest: Parameters<Call<R>>
) => ReturnType<Call<R>>

/** The functions of the collections of the API. */
export interface Collections {
  readonly problems: {
    /** Explains an error code. */
    readonly get: Get<'GET /problems/{code}'>
  }
  readonly products: {
    /** Lists the products of the catalogue. */
    readonly list: Call<'GET /products'>
    /** Creates a product. */
    readonly create: Call<'POST /products'>
    /** Reads a product. */
    readonly get: Get<'GET /products/{productId}'>
  }
  readonly categories: {
    /** Lists the categories. */
    readonly list: Call<'GET /categories'>
    /** Creates a category. */
    readonly create: Call<'POST /categories'>
    /** Reads a category. */
    readonly get: Get<'GET /categories/{categoryId}'>
  }
  readonly users: {
    /** Lists the users. */
    readonly list: Call<'GET /users'>
    /** Signs up a user. */
    readonly create: Call<'POST /users'>
    /** Reads a user. */
    readonly get: Get<'GET /users/{id}'>
  }
  readonly sessions: {
    /** Lists the sessions of the caller or, for administrators, of another user. */
    readonly list: Call<'GET /sessions'>
    /** Reads a session. */
    readonly get: Get<'GET /sessions/{sessionId}'>
  }
  readonly passwordResets: {
    /** Sends a mail with a link to choose a new password, if there is an account with the address; answers the same if there is none. */
    readonly create: Call<'POST /password-resets'>
    /** Reads whether the link of a mail still works. */
    readonly get: Get<'GET /password-resets/{token}'>
  }
  readonly emailConfirmations: {
    /** Reads whether the link of a mail still works. */
    readonly get: Get<'GET /email-confirmations/{token}'>
  }
  readonly emailRejections: {
    /** Reads whether the link of a mail still works. */
    readonly get: Get<'GET /email-rejections/{token}'>
  }
  readonly addressChanges: {
    /** Reads whether the link of a mail still works. */
    readonly get: Get<'GET /address-changes/{token}'>
  }
  readonly orders: {
    /** Lists the orders of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /orders'>
    /** Places an order of the items in the body or, without any, of the cart. */
    readonly create: Call<'POST /orders'>
    /** Reads an order. */
    readonly get: Get<'GET /orders/{orderId}'>
  }
  readonly payments: {
    /** Reads a payment. */
    readonly get: Get<'GET /payments/{paymentId}'>
  }
  readonly purchases: {
    /** Lists the purchases of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /purchases'>
    /** Reads a purchase. */
    readonly get: Get<'GET /purchases/{purchaseId}'>
  }
  readonly apiKeys: {
    /** Lists the API keys of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /api-keys'>
    /** Creates an API key, which only this response shows. */
    readonly create: Call<'POST /api-keys'>
    /** Reads an API key. */
    readonly get: Get<'GET /api-keys/{keyId}'>
  }
  readonly oauthClients: {
    /** Lists the registered clients. */
    readonly list: Call<'GET /oauth-clients'>
    /** Registers a client, whose secret only this response shows. */
    readonly create: Call<'POST /oauth-clients'>
    /** Reads the registration of a client. */
    readonly get: Get<'GET /oauth-clients/{oauthClientId}'>
  }
  readonly oauthConsents: {
    /** Lists the consents of the caller or, for administrators, of another user. */
    readonly list: Call<'GET /oauth-consents'>
    /** Reads what a user allows an application to do. */
    readonly get: Get<'GET /oauth-consents/{consentId}'>
  }
  readonly shippingMethods: {
    /** Lists the shipping methods; administrators see inactive ones too. */
    readonly list: Call<'GET /shipping-methods'>
    /** Creates a shipping method. */
    readonly create: Call<'POST /shipping-methods'>
    /** Reads a shipping method. */
    readonly get: Get<'GET /shipping-methods/{shippingMethodId}'>
  }
  readonly taxRates: {
    /** Lists the tax rates. */
    readonly list: Call<'GET /tax-rates'>
    /** Creates a tax rate, for orders placed from now on. */
    readonly create: Call<'POST /tax-rates'>
    /** Reads a tax rate. */
    readonly get: Get<'GET /tax-rates/{taxRateId}'>
  }
  readonly discounts: {
    /** Lists the discounts. */
    readonly list: Call<'GET /discounts'>
    /** Creates a discount. */
    readonly create: Call<'POST /discounts'>
    /** Reads a discount. */
    readonly get: Get<'GET /discounts/{discountId}'>
  }
  readonly events: {
    /** Returns the events after a cursor, oldest first. */
    readonly list: Call<'GET /events'>
    /** Reads an event. */
    readonly get: Get<'GET /events/{eventId}'>
  }
  readonly webhooks: {
    /** Lists the webhooks. */
    readonly list: Call<'GET /webhooks'>
    /** Creates a webhook, whose secret only this response shows. */
    readonly create: Call<'POST /webhooks'>
    /** Reads a webhook. */
    readonly get: Get<'GET /webhooks/{webhookId}'>
  }
  readonly operations: {
    /** Lists the operations of the last 30 days. */
    readonly list: Call<'GET /operations'>
    /** Reads an operation; with `Prefer: wait`, once it has ended. */
    readonly get: Get<'GET /operations/{operationId}'>
  }
  readonly auditEvents: {
    /** Lists the events of the audit trail. */
    readonly list: Call<'GET /audit-events'>
    /** Reads an event of the audit trail. */
    readonly get: Get<'GET /audit-events/{eventId}'>
  }
}

/** The paths of the collections. */
export const collections = {
  "problems": "/problems",
  "products": "/products",
  "categories": "/categories",
  "users": "/users",
  "sessions": "/sessions",
  "passwordResets": "/password-resets",
  "emailConfirmations": "/email-confirmations",
  "emailRejections": "/email-rejections",
  "addressChanges": "/address-changes",
  "orders": "/orders",
  "payments": "/payments",
  "purchases": "/purchases",
  "apiKeys": "/api-keys",
  "oauthClients": "/oauth-clients",
  "oauthConsents": "/oauth-consents",
  "shippingMethods": "/shipping-methods",
  "taxRates": "/tax-rates",
  "discounts": "/discounts",
  "events": "/events",
  "webhooks": "/webhooks",
  "operations": "/operations",
  "auditEvents": "/audit-events"
} as const
