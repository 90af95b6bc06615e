import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseYieldingOrders, type Holder, maxYieldingOrders, type UnpaidLine } from './rules.ts'

const share = 0.25
const holder = (pieces: number, more: Partial<Holder> = {}): Holder => ({
  ...{ product_id: 1, network: 'one', pieces, pieces_together: 40 },
  ...more,
})
const line = (order_id: number, pieces: number, more: Partial<UnpaidLine> = {}): UnpaidLine => ({
  ...{ order_id, revision: 1, network: 'one', product_id: 1, pieces },
  ...{ discount_id: null, awaits_buyer: 0 },
  ...more,
})
const choose = (
  missing: Readonly<Record<number, number>>,
  holders: readonly Holder[],
  lines: readonly UnpaidLine[],
) => {
  const pieces = new Map(Object.entries(missing).map(([id, count]) => [Number(id), count]))
  return chooseYieldingOrders(pieces, holders, lines, share)?.map(({ id }) => id)
}

describe('the orders that yield', () => {
  test('are the newest, until enough is free', () => {
    const lines = [line(3, 10), line(2, 10), line(1, 10)]
    assert.deepEqual(choose({ 1: 10 }, [holder(30)], lines), [3])
    assert.deepEqual(choose({ 1: 11 }, [holder(30)], lines), [3, 2])
  })

  test('are those with a payment to be ended last', () => {
    const lines = [line(3, 10, { awaits_buyer: 1 }), line(2, 10), line(1, 10)]
    assert.deepEqual(choose({ 1: 20 }, [holder(30)], lines), [2, 1])
    assert.deepEqual(choose({ 1: 20 }, [holder(31)], [line(4, 1), ...lines]), [4, 2, 1])
    assert.deepEqual(choose({ 1: 11 }, [holder(30)], lines.slice(0, 2)), [2, 3])
  })

  test('leave a network its share', () => {
    const lines = [line(3, 10), line(2, 10), line(1, 10)]
    assert.equal(choose({ 1: 21 }, [holder(30)], lines), undefined)
    assert.equal(choose({ 1: 1 }, [holder(10)], [line(1, 10)]), undefined)
    assert.deepEqual(choose({ 1: 1 }, [holder(11)], [line(1, 11)]), [1])
  })

  test('are of every network that holds too much, and count for each product that they hold', () => {
    const lines = [line(4, 12, { network: 'two' }), line(3, 12), line(3, 4, { product_id: 2 })]
    const holders = [holder(12, { network: 'two' }), holder(12)]
    assert.deepEqual(choose({ 1: 13, 2: 4 }, holders, lines), [4, 3])
    assert.equal(choose({ 1: 13, 2: 5 }, holders, lines), undefined)
  })

  test('are at most a hundred', () => {
    const lines = Array.from({ length: 200 }, (_, at) => line(200 - at, 1))
    const holders = [holder(200, { pieces_together: 200 })]
    assert.equal(choose({ 1: maxYieldingOrders }, holders, lines)?.length, maxYieldingOrders)
    assert.equal(choose({ 1: maxYieldingOrders + 1 }, holders, lines), undefined)
  })
})
