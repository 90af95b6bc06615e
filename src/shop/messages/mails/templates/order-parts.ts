import { trackingUrlOf } from '#shop/carriers.ts'
import { timesQuantity } from '#values/money.ts'
import type { MailedItem, MailedOrder, MailedReturn, OrderMail } from './order-mails.ts'

/** The items of a mail in these quantities, as JSON. */
function itemsIn(mail: OrderMail, json: string): readonly MailedItem[] {
  const pieces: readonly { readonly order_item_id: number; readonly quantity: number }[] =
    JSON.parse(json)
  const quantities = new Map(pieces.map((piece) => [piece.order_item_id, piece.quantity]))
  return mail.items.flatMap((item) => {
    const quantity = quantities.get(item.id)
    return quantity
      ? [{ ...item, quantity, line_total: timesQuantity(item.unit_price, quantity) }]
      : []
  })
}

/** Returns the mail about an order as that about a return of its pieces; `items` is JSON. */
export const withReturn = (
  mail: OrderMail,
  { items: json, ...returned }: MailedReturn & { readonly items: string },
): OrderMail => ({ ...mail, returned, items: itemsIn(mail, json) })

/** Returns the mail about an order as that about one of its parcels; `items` is JSON. */
export function withParcel(
  mail: OrderMail,
  {
    items: json,
    ...tracking
  }: Pick<MailedOrder, 'carrier' | 'tracking_number' | 'tracking_url'> & { readonly items: string },
): OrderMail {
  const items = itemsIn(mail, json)
  const sent = new Map(items.map(({ id, quantity }) => [id, quantity]))
  const isPart = mail.items.some(
    ({ id, quantity, requires_shipping }) => requires_shipping === 1 && quantity !== sent.get(id),
  )
  const tracking_url = tracking.tracking_url ?? trackingUrlOf(tracking)
  return { ...mail, order: { ...mail.order, ...tracking, tracking_url }, items, isPart }
}
