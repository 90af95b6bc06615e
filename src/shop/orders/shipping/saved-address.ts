import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import { findAddress } from '#shop/accounts/addresses/store.ts'
import { fieldProblem } from '#values/problem.ts'
import type { ShippingChoice } from './schema.ts'

/**
 * Returns a shipping in which the saved address that `address_id` names stands for recipient and
 * address; a recipient of its own stays. `path` is the path of the shipping in the body. Throws
 * 422/4221 for an address of another user than the buyer, or beside another address, and 403/4033
 * for a credential that may not read the addresses.
 */
export async function withSavedAddress<S extends ShippingChoice>(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  buyerId: number | null,
  shipping: S,
  path = '',
): Promise<S> {
  const { address_id: id, ...rest } = shipping
  if (id === undefined) return shipping
  const issue = (key: MessageKey) =>
    fieldProblem([{ field: `${path}address_id`, message: createMessage(key) }])
  if (rest.address !== undefined) throw issue('shipping.address_twice')
  requireScope('users:read', actor)
  const saved = buyerId === null ? undefined : await findAddress(db, buyerId, id)
  if (!saved) throw issue('shipping.unknown_address')
  const { line1, line2, city, region, postal_code, country } = saved
  const address = { line1, line2, city, region, postal_code, country }
  return { ...(rest as S), recipient: rest.recipient ?? saved.recipient, address }
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
