import type { TestCaller } from '#test/support/app.ts'

/** A customer with one entity of every kind that a customer can own. */
export interface Fixtures {
  readonly admin: TestCaller
  readonly owner: TestCaller
  /** Products that the customer has in the cart and has bought. */
  readonly products: readonly number[]
  /** A bought product that is neither reviewed nor in the cart. */
  readonly unreviewed: number
  /** A product with variants. */
  readonly parent: number
  readonly cartItem: number
  readonly pendingOrder: number
  readonly pendingTotal: number
  readonly orderItem: number
  readonly paidOrder: number
  readonly payment: number
  /** A refund of a part of the paid order. */
  readonly refund: number
  /** A paid order of which pieces are left to send, and a parcel of it. */
  readonly sentOrder: number
  readonly sentItem: number
  readonly parcel: number
  /** A return of a piece of it. */
  readonly returned: number
  readonly purchase: number
  readonly review: number
  readonly apiKey: number
  /** A session other than the one of the owner's token. */
  readonly session: number
  readonly oauthClient: number
  readonly oauthConsent: number
  readonly auditEvent: number
  /** A category without products, below another one. */
  readonly category: number
  readonly categoryAbove: number
  readonly shippingMethod: number
  readonly taxRate: number
  readonly discount: number
  /** The code of `discount`, which the cart of the customer uses. */
  readonly discountCode: string
  readonly event: string
  readonly image: number
  /** The name of a file that shows `image`. */
  readonly imageFile: string
  readonly webhook: number
  readonly delivery: number
  /** An import that waits, with errors. */
  readonly operation: number
  /** Tokens of mails to the customer. */
  readonly resetToken: string
  readonly confirmationToken: string
  readonly undoToken: string
  /** The owner, who has not confirmed the address. */
  readonly unconfirmed: number
  /** Returns the ID of an entity that needs no fixture of its own, by the path of one. */
  readonly plain: (path: string) => number
}
