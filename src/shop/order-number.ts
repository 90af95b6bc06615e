import { textKey } from '#values/text-key.ts'
import type { Shop } from './shop.ts'

/** The number of the order with this ID comes after the prefix as the sum of both. */
export const numbersAfter = 1000

/** Returns the number of an order that is placed here. */
export const orderNumber = ({ orderPrefix = '' }: Pick<Shop, 'orderPrefix'>, id: number): string =>
  `${orderPrefix}${numbersAfter + id}`

/** What stands before the digits in the keys of such numbers. */
export const prefixKey = ({ orderPrefix = '' }: Pick<Shop, 'orderPrefix'>): string =>
  textKey(orderPrefix)
