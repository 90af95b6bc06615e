import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import { regionOf, withoutFormerPlace } from '#shop/accounts/addresses/region.ts'
import { addresses } from '#shop/accounts/addresses/table.ts'
import { fieldProblem } from '#values/problem.ts'
import type { Destination } from './rules.ts'
import type { ShippingChoice } from './schema.ts'

/**
 * Returns a shipping in which the saved address that `address_id` names stands for recipient,
 * company, VAT ID, phone and address; those of its own stay. `path` is the path of the shipping in the body. Throws
 * 422/4221 for an address of another user than the buyer, beside another address, or for an unknown
 * region in it, and 403/4033
 * for a credential that may not read the addresses.
 */
export async function withSavedAddress<S extends ShippingChoice>(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  buyerId: number | null,
  shipping: S,
  path = '',
  order?: Destination,
): Promise<S> {
  const { address_id: id, ...rest } = shipping
  if (id === undefined) return withRegionCode(shipping, path, order)
  const issue = (key: MessageKey) =>
    fieldProblem([{ field: `${path}address_id`, message: createMessage(key) }])
  if (rest.address !== undefined) throw issue('shipping.address_twice')
  requireScope('users:read', actor)
  const saved = buyerId === null ? undefined : await addresses.find(db, { id, user_id: buyerId })
  if (!saved) throw issue('shipping.unknown_address')
  const { line1, line2, city, region, postal_code, country } = saved
  const address = { line1, line2, city, region, postal_code, country }
  return {
    ...(rest as S),
    recipient: rest.recipient ?? saved.recipient,
    company: rest.company ?? saved.company,
    vat_id: rest.vat_id ?? saved.vat_id,
    phone: rest.phone ?? saved.phone,
    address,
  }
}

/** Replaces the region of an address by its code; `order` is where the order is sent without the change. */
function withRegionCode<S extends ShippingChoice>(
  shipping: S,
  path: string,
  order?: Destination,
): S {
  const { address } = shipping
  if (!address || (address.region === undefined && address.country === undefined)) return shipping
  const place = { ...order, ...(order && withoutFormerPlace(order, address)), ...address }
  const region = regionOf(place, `${path}address.region`)
  return { ...shipping, address: { ...address, region } }
}

/** As `withSavedAddress`, for the shipping of an order. */
export const withSavedShipping = async <B extends { readonly shipping?: ShippingChoice }>(
  ctx: Pick<Context, 'db' | 'actor'>,
  buyerId: number,
  body: B,
): Promise<B> =>
  body.shipping
    ? { ...body, shipping: await withSavedAddress(ctx, buyerId, body.shipping, 'shipping.') }
    : body
