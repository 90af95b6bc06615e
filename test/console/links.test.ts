import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Type } from 'typebox'
import { adminOnly, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, list, modify, read } from '#http/declare/route.ts'
import { Id, mergePatch, requestBody, timestamps } from '#schema/words.ts'
import { browserSkipReason } from '#test/support/services/browser.ts'
import { type ConsoleShop, startConsoleShop, waitForAnnouncement } from './setup.ts'

interface WishRow {
  readonly id: number
  readonly title: string
  readonly urgency: 'low' | 'high'
  readonly created_at: number
  readonly updated_at: number
  readonly revision: number
}

/** A resource that the console has never heard of. */
function wishRoutes() {
  const rows: WishRow[] = []
  const fields = {
    title: Type.String({ minLength: 3, maxLength: 50, description: 'What is wished for.' }),
    urgency: Type.Enum(['low', 'high'], { description: 'How soon.' }),
  }
  const Wish = Type.Object({ id: Id('The ID of the wish.'), ...fields, ...timestamps })
  const WishBody = requestBody(fields, Wish)
  const wish = item({
    name: 'wish',
    description: 'A wish.',
    path: '/wishes/:wishId',
    schema: Wish,
    load: async (_, { wishId }) => rows.find(({ id }) => id === Number(wishId)),
    pathParams: ({ id }: WishRow) => ({ wishId: id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    present: (row) => row,
    links: {
      edit: { to: 'wish', operation: 'modify' },
      grant: {
        to: 'wish',
        operation: 'modify',
        body: () => ({ urgency: 'low' }),
        when: ({ urgency }) => urgency === 'high',
      },
    },
  })
  const wishes = collection({ name: 'wishes', path: '/wishes', item: wish })
  const policy = { access: adminOnly('settings:write') }
  const reads = { ...policy, rateLimit: 'default', cache: privateCache } as const
  const writes = { ...policy, rateLimit: 'default' } as const
  return [
    list(wishes, {
      summary: 'Lists the wishes.',
      ...reads,
      filters: Type.Object({}),
      sortFields: ['id'],
      find: async () => ({ rows, total: rows.length, next: undefined }) as never,
    }),
    create(wishes, {
      summary: 'Creates a wish.',
      ...writes,
      body: WishBody,
      handle: async ({ now }, { body }) => {
        const row = { ...body, id: rows.length + 1, created_at: now, updated_at: now, revision: 1 }
        rows.push(row)
        return created(row)
      },
    }),
    read(wish, { summary: 'Reads a wish.', ...reads }),
    modify(wish, {
      summary: 'Changes a wish.',
      ...writes,
      body: mergePatch(WishBody),
      handle: async ({ now }, { current, body }) => {
        const row = { ...current, ...body, updated_at: now, revision: current.revision + 1 }
        rows[current.id - 1] = row
        return row
      },
    }),
  ]
}

describe('what the console draws from the API', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop(wishRoutes() as never)
  })
  after(() => shop?.dispose())

  test('a resource that was added to the server has a list, a form and buttons', async () => {
    const { page } = await shop.openConsole('')
    await page.getByRole('link', { name: 'Wishes' }).click()
    await page.getByText('Nothing here yet').waitFor()
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByLabel('Title *').fill('A')
    await page.getByLabel('Urgency *').selectOption('high')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field .problem').waitFor()
    await page.getByLabel('Title *').fill('A cargo bike')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('main h1', { hasText: 'A cargo bike' }).waitFor()
    await page.getByRole('button', { name: 'Grant' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForAnnouncement(page, 'Done')
    await page.getByRole('button', { name: 'Grant' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('A tricycle')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('main h1', { hasText: 'A tricycle' }).waitFor()
    await page.getByRole('link', { name: 'Wishes' }).first().click()
    await page.getByRole('row', { name: /A tricycle/ }).waitFor()
    await page.context().close()
  })

  /** Opens a page; returns the names of its buttons and of the links that the API gave. */
  const compare = async (page: Page, path: string) => {
    const isRead = page.waitForResponse((each) => new URL(each.url()).pathname === path)
    await page.goto(`${shop.issuer}/console${path}`)
    const { _links: links } = await (await isRead).json()
    await page.locator('main h1').waitFor()
    const buttons = page.locator('main .head [data-link]')
    const shown = await buttons.evaluateAll((all) => all.map((each) => each.dataset['link']))
    const given = Object.entries<{ method?: string }>(links).flatMap(([name, { method }]) =>
      // The form of `ship` sends parcels, too.
      method === undefined || (name === 'send' && 'ship' in links) ? [] : [name],
    )
    return { shown: shown.toSorted(), given: given.toSorted() }
  }

  test('a button exists exactly when its link does', async () => {
    const { id, productId } = await shop.placePaidOrder()
    const { page } = await shop.openConsole('')
    const path = `/orders/${id}`
    const expectLinks = async (where: string, expected: readonly string[]) => {
      const { shown, given } = await compare(page, where)
      assert.deepEqual(shown, given, where)
      assert.deepEqual(shown, expected, where)
    }
    await expectLinks(path, ['cancel', 'ship'])
    await shop.admin.request('PATCH', path, { status: 'shipped' })
    await expectLinks(path, ['deliver', 'return'])
    await shop.admin.request('PATCH', path, { status: 'delivered' })
    await expectLinks(path, ['refund', 'return'])
    // The console has no scope for carts, so its links leave `add_to_cart` out.
    await expectLinks(`/products/${productId}`, ['delete', 'edit'])
    await page.context().close()
  })

  test('a customer sees what is theirs, and no button for more', async () => {
    const { productId } = await shop.placePaidOrder()
    const customer = await shop.signInAs('customer')
    const { page } = await shop.openConsole('', { username: customer.username })
    await page.getByText('This account is no administrator').waitFor()
    const names = await page.locator('nav.side .groups a').allTextContents()
    for (const name of ['Users', 'Audit', 'Webhooks', 'Discounts', 'Wishes']) {
      assert.ok(!names.includes(name), `${name} is shown`)
    }
    const { shown } = await compare(page, `/products/${productId}`)
    assert.deepEqual(shown, [])
    await page.context().close()
  })
})
