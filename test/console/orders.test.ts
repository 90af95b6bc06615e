import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testShipping } from '#test/support/callers/paying.ts'
import { browserSkipReason } from '#test/support/services/browser.ts'
import { type ConsoleShop, startConsoleShop } from './setup.ts'

describe('the page of an order', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  /** Places an order of one piece of so many products, and pays it. */
  const placeOrder = async (itemCount: number, token: string) => {
    const products = await Promise.all(
      Array.from({ length: itemCount }, () => shop.addProduct({ stock: 9 })),
    )
    const buyer = await shop.signInAs('customer')
    const items = products.map(({ id }) => ({ product_id: id, quantity: 1 }))
    const order = await buyer.request('POST', '/orders', { items, shipping: testShipping })
    const payment = `/users/${buyer.id}/orders/${order.json.id}/payment`
    await buyer.request('POST', payment, { method: 'card', token })
    return order.json.id
  }

  test('has all items, also those that are printed', async () => {
    const { page } = await shop.openConsole(`/orders/${await placeOrder(21, 'tok_visa')}`)
    await page.locator('.order .flush tbody tr').nth(20).waitFor()
    assert.equal(await page.locator('.slip tbody tr').count(), 21)
    await page.context().close()
  })

  test('does not say that an order is paid before its buyer has confirmed the payment', async () => {
    const { page } = await shop.openConsole(`/orders/${await placeOrder(1, 'tok_3ds')}`)
    await page.getByText('Action required').waitFor()
    assert.deepEqual(await page.locator('.timeline li > span').allTextContents(), ['Created'])
    await page.context().close()
  })

  test('says what was refunded, and offers only the pieces that are left', async () => {
    const { id } = await shop.placePaidOrder()
    const [item] = (await shop.admin.request('GET', `/orders/${id}/items`)).json.data
    const refund = { items: [{ order_item_id: item.id, quantity: 1 }], shipping: true }
    await shop.admin.request('POST', `/orders/${id}/refunds`, refund)
    const { page } = await shop.openConsole(`/orders/${id}`)
    await page.locator('.timeline li', { hasText: 'Refunded $24.99' }).waitFor()
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    assert.equal(await page.getByRole('spinbutton').getAttribute('max'), '1')
    assert.equal(await page.getByLabel(/Refund shipping/).count(), 0)
    await page.context().close()
  })

  test('sends an order in two parcels, and marks them as delivered', async () => {
    const { id } = await shop.placePaidOrder()
    const { page } = await shop.openConsole(`/orders/${id}`)
    const ship = async (quantity: string | undefined, carrier: string) => {
      await page.getByRole('button', { name: 'Ship', exact: true }).click()
      const dialog = page.getByRole('dialog')
      if (quantity !== undefined) await dialog.getByRole('spinbutton').fill(quantity)
      await dialog.getByLabel('Carrier').fill(carrier)
      await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
      await page.getByRole('heading', { name: carrier }).waitFor()
    }
    await ship('1', 'Larkpost')
    await page.locator('main h1 .badge', { hasText: 'Paid' }).waitFor()
    await ship(undefined, 'Wrenmail')
    await page.locator('main h1 .badge', { hasText: 'Shipped' }).waitFor()
    const pieces = await page.locator('.parcels ul li').allTextContents()
    assert.deepEqual(
      pieces.map((text) => text.slice(0, 3)),
      ['1 ×', '1 ×'],
    )
    for (const carrier of ['Larkpost', 'Wrenmail']) {
      const parcel = page.locator('.parcels > li', { hasText: carrier })
      await parcel.getByRole('button', { name: 'Mark as delivered' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
      await parcel.locator('.badge', { hasText: 'Delivered' }).waitFor()
    }
    await page.locator('main h1 .badge', { hasText: 'Delivered' }).waitFor()
    await page.context().close()
  })

  test('approves, receives and refunds a return', async () => {
    const { id } = await shop.placePaidOrder()
    await shop.admin.request('POST', `/orders/${id}/parcels`, {})
    const { page } = await shop.openConsole(`/orders/${id}`)
    await page.getByRole('button', { name: 'Return', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('spinbutton').fill('1')
    await dialog.getByLabel('Reason').fill('Too loud')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Returns' }) })
    await card.getByRole('heading', { name: 'Return · Too loud' }).waitFor()
    const steps = { Approve: 'Approved', Receive: 'Received', Refund: 'Refunded' }
    for (const [action, status] of Object.entries(steps)) {
      await card.getByRole('button', { name: action }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
      await card.locator('.badge', { hasText: status }).waitFor()
    }
    await page.locator('.timeline li', { hasText: 'Refunded $19.99' }).waitFor()
    await page.context().close()
  })

  test('ships an order that has changed meanwhile by a second click, with what was entered', async () => {
    const { id } = await shop.placePaidOrder()
    const { page } = await shop.openConsole(`/orders/${id}`)
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Carrier').fill('Larkpost')
    await shop.admin.request('PATCH', `/orders/${id}/shipping`, { recipient: 'Grace B. Buyer' })
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await dialog.locator('.problem').waitFor()
    await page.locator('address', { hasText: 'Grace B. Buyer' }).first().waitFor()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.locator('main h1 .badge', { hasText: 'Shipped' }).waitFor()
    const { carrier } = (await shop.admin.request('GET', `/orders/${id}/shipping`)).json
    assert.equal(carrier, 'Larkpost')
    await page.context().close()
  })
})
