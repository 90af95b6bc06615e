import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { browserSkipReason } from '#test/support/services/browser.ts'
import {
  type ConsoleShop,
  signIn,
  startConsoleShop,
  tabTo,
  unexpectedErrors,
  waitForAnnouncement,
} from './setup.ts'

describe('the tasks of a shopkeeper', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  const read = async (path: string) => (await shop.admin.request('GET', path)).json

  test('an order is found, shipped and refunded in part by the keyboard alone', async () => {
    const { id, number } = await shop.placePaidOrder()
    const { page } = await shop.openConsole('')
    await tabTo(page, page.getByRole('link', { name: 'Orders', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('link', { name: number, exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Ship', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Carrier'))
    await page.keyboard.type('Larkpost')
    await tabTo(page, page.getByLabel('Tracking number'))
    await page.keyboard.type('LP42')
    await page.keyboard.press('Enter')
    await page.locator('main h1 .badge', { hasText: 'Shipped' }).waitFor()
    const { carrier, tracking_number, status } = await read(`/orders/${id}/shipping`)
    assert.deepEqual([carrier, tracking_number, status], ['Larkpost', 'LP42', 'in_transit'])

    await tabTo(page, page.getByRole('button', { name: 'Refund', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('spinbutton'))
    await page.keyboard.type('1')
    await tabTo(page, page.getByLabel('Reason'))
    await page.keyboard.type('Arrived broken')
    await page.keyboard.press('Enter')
    await page.getByText('Arrived broken').waitFor()
    const [refund] = (await read(`/orders/${id}/refunds`)).data
    assert.deepEqual([refund.amount, refund.items[0].quantity], [19.99, 1])
    await page.context().close()
  })

  test('a number opens its order, and the numbers in a list lead to what they name', async () => {
    const { number, productId } = await shop.placePaidOrder()
    const { page } = await shop.openConsole('/orders')
    await page.getByLabel('Open by number').fill(number)
    await page.keyboard.press('Enter')
    await page.locator('main h1', { hasText: `Order ${number}` }).waitFor()
    await page.getByRole('link', { name: 'Purchases' }).click()
    await page.locator(`td a[href="/console/products/${productId}"]`).first().click()
    await page.waitForURL(`**/console/products/${productId}`)
    await page.context().close()
  })

  test('a discount is created, changed and deleted by the keyboard alone', async () => {
    const watched = await shop.openConsole('/discounts')
    const { page } = watched
    await tabTo(page, page.getByRole('button', { name: 'New' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Code *'))
    await page.keyboard.press('Enter')
    const id = await page.getByLabel('Code *').getAttribute('id')
    await page.locator(`[id="${id}-problem"]`).waitFor()
    assert.equal(await page.getByLabel('Code *').getAttribute('aria-invalid'), 'true')
    await tabTo(page, page.getByLabel('Code *'))
    await page.keyboard.type('SUMMER')
    await tabTo(page, page.getByLabel('Kind *'))
    await page.keyboard.type('Percent')
    await tabTo(page, page.getByLabel('Value'))
    await page.keyboard.type('15')
    await page.keyboard.press('Enter')
    await page.locator('main h1', { hasText: 'SUMMER' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Edit' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Usage limit', { exact: true }))
    await page.keyboard.type('100')
    await page.keyboard.press('Enter')
    await waitForAnnouncement(page, 'Saved')
    const [discount] = (await read('/discounts?code=SUMMER')).data
    assert.deepEqual([discount.value, discount.usage_limit], ['15', 100])
    await tabTo(page, page.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await page.locator('main h1', { hasText: 'Discounts' }).waitFor()
    assert.equal((await read('/discounts?code=SUMMER')).data.length, 0)
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  test('the value of a discount is a share, an amount or nothing, as its kind says', async () => {
    const { page } = await shop.openConsole('/discounts')
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByLabel('Code *').fill('FIVER')
    assert.equal(await page.getByLabel('Active').isChecked(), true)
    await page.getByLabel('Kind *').selectOption('percent')
    await page.getByLabel('Value').fill('5')
    await page.getByLabel('Kind *').selectOption('amount')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('main h1', { hasText: 'FIVER' }).waitFor()
    const find = async () => (await read('/discounts?code=FIVER')).data[0]
    assert.deepEqual([(await find()).kind, (await find()).value], ['amount', 5])
    await page.locator('dd', { hasText: '$5.00' }).waitFor()
    for (const [kind, entered, value] of [
      ['amount', '7.5', 7.5],
      ['percent', '12.5', '12.5'],
      ['free_shipping', undefined, null],
    ] as const) {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Kind').selectOption(kind)
      if (entered === undefined) assert.equal(await page.getByLabel('Value').count(), 0)
      else await page.getByLabel('Value').fill(entered)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.deepEqual([(await find()).kind, (await find()).value], [kind, value])
    }
    await page.context().close()
  })

  test('of two people who edit a product, nobody overwrites the other unseen', async () => {
    const { id } = await shop.addProduct({ name: 'Kettle', price: 20, stock: 5 })
    const path = `/products/${id}`
    const { page } = await shop.openConsole(path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Enamel kettle')
    await page.getByLabel('Price', { exact: true }).fill('22')
    await shop.admin.request('PATCH', path, { price: 21, stock: 4 })
    await page.getByRole('button', { name: 'Save' }).click()
    const merge = page.getByRole('dialog', { name: 'Somebody else has changed this' })
    await merge.waitFor()
    const save = merge.getByRole('button', { name: 'Save the chosen values' })
    assert.equal(await save.isDisabled(), true)
    assert.deepEqual((await read(path)).price, 21)
    await merge
      .getByRole('group', { name: /^Price(?! before)/ })
      .getByLabel(/Your value/)
      .check()
    await save.click()
    await waitForAnnouncement(page, 'Saved')
    const { name, price, stock } = await read(path)
    assert.deepEqual({ name, price, stock }, { name: 'Enamel kettle', price: 22, stock: 4 })
    await page.context().close()
  })

  test('a session that ends within a form loses no input', async () => {
    const { id } = await shop.addProduct({ name: 'Teapot' })
    const watched = await shop.openConsole(`/products/${id}`)
    const { page } = watched
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Glass teapot')
    await shop.db.deleteFrom('oauth_artefacts').execute()
    await page.getByRole('button', { name: 'Save' }).click()
    const prompt = page.getByRole('dialog', { name: 'Your session has ended' })
    await prompt.waitFor()
    const opened = page.context().waitForEvent('page')
    await prompt.getByRole('button', { name: 'Sign in' }).click()
    await signIn(await opened, shop.admin.username)
    await waitForAnnouncement(page, 'Saved')
    assert.equal((await read(`/products/${id}`)).name, 'Glass teapot')
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  test('what needs a full sign-in asks for the password, which ends with the request', async () => {
    const customer = await shop.signInAs('customer', { name: 'Mallory' })
    const { page } = await shop.openConsole(`/users/${customer.id}`)
    const sessionCount = async () => (await read('/sessions')).pagination.total_items
    const countBefore = await sessionCount()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Status').selectOption('suspended')
    await page.getByRole('button', { name: 'Save' }).click()
    const prompt = page.getByRole('dialog', { name: 'Confirm with your password' })
    await prompt.waitFor()
    assert.equal((await read(`/users/${customer.id}`)).status, 'active')
    await prompt.getByLabel('Password').fill('correct horse battery staple')
    await prompt.getByRole('button', { name: 'Confirm' }).click()
    await waitForAnnouncement(page, 'Saved')
    assert.equal((await read(`/users/${customer.id}`)).status, 'suspended')
    assert.equal(await sessionCount(), countBefore)
    await page.context().close()
  })
})
