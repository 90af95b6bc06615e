/** What holds for all prices of the shop. */
export interface Shop {
  /** ISO 4217 code of the currency of every price. */
  readonly currency: string
  /** Decimal places of an amount in the currency. */
  readonly currencyDigits: number
  readonly pricesIncludeTax: boolean
  /** The time zone of dates that people read (IANA). */
  readonly timeZone: string
  /** The country of orders that are picked up or have no address (ISO 3166-1 alpha-2). */
  readonly country: string | null
  /** What the numbers of new orders begin with; nothing if undefined. */
  readonly orderPrefix?: string | undefined
  /** The days after the delivery of an order in which its pieces may be returned; 14 if undefined. */
  readonly returnDays?: number | undefined
  /** The address of the page of a product in the shop front, with `{handle}` or `{id}`. */
  readonly productUrl?: string | undefined
}
