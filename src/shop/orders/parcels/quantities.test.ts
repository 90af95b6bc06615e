import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { piecesToSend, type SendingStatus, statusBySending } from './quantities.ts'

/** Items as pieces ordered and sent; `digital` ones need no shipping. */
type Items = readonly (readonly [quantity: number, sent: number, digital?: 'digital'])[]

const itemsOf = (items: Items) =>
  items.map(([quantity, sent, digital], at) => ({
    ...{ id: at + 1, quantity, sent },
    requires_shipping: digital ? 0 : 1,
  }))
const refundsOf = (refunded: readonly number[]) =>
  refunded.map((quantity, at) => ({ items: [{ order_item_id: at + 1, quantity }] }))

describe('the status of an order by its parcels', () => {
  const cases: readonly (readonly [Items, number[], string, SendingStatus, number[]])[] = [
    // Items, pieces refunded, parcels (t: in transit, d: delivered), status, pieces to send
    [[[3, 0]], [], '', 'paid', [3]],
    [[[3, 2]], [], 't', 'paid', [1]],
    [[[3, 2]], [], 'd', 'paid', [1]],
    [[[3, 3]], [], 't', 'shipped', []],
    [[[3, 3]], [], 'td', 'shipped', []],
    [[[3, 3]], [], 'dd', 'delivered', []],
    [[[3, 2]], [1], 't', 'shipped', []],
    [[[3, 2]], [1], 'd', 'delivered', []],
    [[[3, 1]], [1], 't', 'paid', [1]],
    [[[3, 3]], [2], 't', 'shipped', []],
    [[[3, 0]], [3], '', 'paid', []],
    [
      [
        [3, 3],
        [1, 0],
      ],
      [],
      't',
      'paid',
      [1],
    ],
    [
      [
        [3, 3],
        [1, 0],
      ],
      [0, 1],
      't',
      'shipped',
      [],
    ],
    [
      [
        [3, 3],
        [1, 0, 'digital'],
      ],
      [],
      't',
      'shipped',
      [],
    ],
    [
      [
        [3, 0],
        [1, 0, 'digital'],
      ],
      [0, 1],
      '',
      'paid',
      [3],
    ],
  ]
  for (const [items, refunded, letters, status, left] of cases) {
    test(`${JSON.stringify(items)}, refunded ${refunded}, parcels "${letters}": ${status}`, () => {
      const parcels = [...letters].map((letter) => ({
        status: letter === 'd' ? ('delivered' as const) : ('in_transit' as const),
      }))
      const refunds = refundsOf(refunded)
      assert.equal(statusBySending(itemsOf(items), refunds, parcels), status)
      const toSend = piecesToSend(itemsOf(items), refunds).map(({ quantity }) => quantity)
      assert.deepEqual(toSend, left)
    })
  }
})
