// Generated from docs/generated/openapi.json by `npm run generate`.

import type { Call } from './resource.ts'

/** The functions of the collections of the API. */
export interface Collections {
  readonly problems: {
    /** Explains an error code. */
    get(id: string | number, ...rest: Parameters<Call<'GET /problems/{code}'>>): ReturnType<Call<'GET /problems/{code}'>>
  }
  readonly products: {
    /** Lists the products of the catalogue. */
    readonly list: Call<'GET /products'>
    /** Creates a product. */
    readonly create: Call<'POST /products'>
    /** Reads a product. */
    get(id: string | number, ...rest: Parameters<Call<'GET /products/{productId}'>>): ReturnType<Call<'GET /products/{productId}'>>
  }
  readonly categories: {
    /** Lists the categories of the catalogue. */
    readonly list: Call<'GET /categories'>
  }
  readonly users: {
    /** Lists the users. */
    readonly list: Call<'GET /users'>
    /** Signs up a user. */
    readonly create: Call<'POST /users'>
    /** Reads a user. */
    get(id: string | number, ...rest: Parameters<Call<'GET /users/{id}'>>): ReturnType<Call<'GET /users/{id}'>>
  }
  readonly sessions: {
    /** Lists the sessions of the caller or, for administrators, of another user. */
    readonly list: Call<'GET /sessions'>
    /** Reads a session. */
    get(id: string | number, ...rest: Parameters<Call<'GET /sessions/{sessionId}'>>): ReturnType<Call<'GET /sessions/{sessionId}'>>
  }
  readonly passwordResets: {
    /** Sends a mail with a link to choose a new password, if there is an account with the address; answers the same if there is none. */
    readonly create: Call<'POST /password-resets'>
    /** Reads whether the link of a mail still works. */
    get(id: string | number, ...rest: Parameters<Call<'GET /password-resets/{token}'>>): ReturnType<Call<'GET /password-resets/{token}'>>
  }
  readonly emailConfirmations: {
    /** Reads whether the link of a mail still works. */
    get(id: string | number, ...rest: Parameters<Call<'GET /email-confirmations/{token}'>>): ReturnType<Call<'GET /email-confirmations/{token}'>>
  }
  readonly orders: {
    /** Lists the orders of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /orders'>
    /** Places an order of the items in the body or, without any, of the cart. */
    readonly create: Call<'POST /orders'>
    /** Reads an order. */
    get(id: string | number, ...rest: Parameters<Call<'GET /orders/{orderId}'>>): ReturnType<Call<'GET /orders/{orderId}'>>
  }
  readonly payments: {
    /** Reads a payment. */
    get(id: string | number, ...rest: Parameters<Call<'GET /payments/{paymentId}'>>): ReturnType<Call<'GET /payments/{paymentId}'>>
  }
  readonly purchases: {
    /** Lists the purchases of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /purchases'>
    /** Reads a purchase. */
    get(id: string | number, ...rest: Parameters<Call<'GET /purchases/{purchaseId}'>>): ReturnType<Call<'GET /purchases/{purchaseId}'>>
  }
  readonly apiKeys: {
    /** Lists the API keys of the caller or, for administrators, of all users. */
    readonly list: Call<'GET /api-keys'>
    /** Creates an API key, which only this response shows. */
    readonly create: Call<'POST /api-keys'>
    /** Reads an API key. */
    get(id: string | number, ...rest: Parameters<Call<'GET /api-keys/{keyId}'>>): ReturnType<Call<'GET /api-keys/{keyId}'>>
  }
  readonly oauthClients: {
    /** Lists the registered clients. */
    readonly list: Call<'GET /oauth-clients'>
    /** Registers a client, whose secret only this response shows. */
    readonly create: Call<'POST /oauth-clients'>
    /** Reads the registration of a client. */
    get(id: string | number, ...rest: Parameters<Call<'GET /oauth-clients/{oauthClientId}'>>): ReturnType<Call<'GET /oauth-clients/{oauthClientId}'>>
  }
  readonly oauthConsents: {
    /** Lists the consents of the caller or, for administrators, of another user. */
    readonly list: Call<'GET /oauth-consents'>
    /** Reads what a user allows an application to do. */
    get(id: string | number, ...rest: Parameters<Call<'GET /oauth-consents/{consentId}'>>): ReturnType<Call<'GET /oauth-consents/{consentId}'>>
  }
  readonly shippingMethods: {
    /** Lists the shipping methods; administrators see inactive ones too. */
    readonly list: Call<'GET /shipping-methods'>
    /** Creates a shipping method. */
    readonly create: Call<'POST /shipping-methods'>
    /** Reads a shipping method. */
    get(id: string | number, ...rest: Parameters<Call<'GET /shipping-methods/{shippingMethodId}'>>): ReturnType<Call<'GET /shipping-methods/{shippingMethodId}'>>
  }
  readonly taxRates: {
    /** Lists the tax rates. */
    readonly list: Call<'GET /tax-rates'>
    /** Creates a tax rate, for orders placed from now on. */
    readonly create: Call<'POST /tax-rates'>
    /** Reads a tax rate. */
    get(id: string | number, ...rest: Parameters<Call<'GET /tax-rates/{taxRateId}'>>): ReturnType<Call<'GET /tax-rates/{taxRateId}'>>
  }
  readonly discounts: {
    /** Lists the discounts. */
    readonly list: Call<'GET /discounts'>
    /** Creates a discount. */
    readonly create: Call<'POST /discounts'>
    /** Reads a discount. */
    get(id: string | number, ...rest: Parameters<Call<'GET /discounts/{discountId}'>>): ReturnType<Call<'GET /discounts/{discountId}'>>
  }
  readonly events: {
    /** Returns the events after a cursor, oldest first. */
    readonly list: Call<'GET /events'>
    /** Reads an event. */
    get(id: string | number, ...rest: Parameters<Call<'GET /events/{eventId}'>>): ReturnType<Call<'GET /events/{eventId}'>>
  }
  readonly webhooks: {
    /** Lists the webhooks. */
    readonly list: Call<'GET /webhooks'>
    /** Creates a webhook, whose secret only this response shows. */
    readonly create: Call<'POST /webhooks'>
    /** Reads a webhook. */
    get(id: string | number, ...rest: Parameters<Call<'GET /webhooks/{webhookId}'>>): ReturnType<Call<'GET /webhooks/{webhookId}'>>
  }
  readonly operations: {
    /** Lists the operations of the last 30 days. */
    readonly list: Call<'GET /operations'>
    /** Reads an operation; with `Prefer: wait`, once it has ended. */
    get(id: string | number, ...rest: Parameters<Call<'GET /operations/{operationId}'>>): ReturnType<Call<'GET /operations/{operationId}'>>
  }
  readonly auditEvents: {
    /** Lists the events of the audit trail. */
    readonly list: Call<'GET /audit-events'>
    /** Reads an event of the audit trail. */
    get(id: string | number, ...rest: Parameters<Call<'GET /audit-events/{eventId}'>>): ReturnType<Call<'GET /audit-events/{eventId}'>>
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
