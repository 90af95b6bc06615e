import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestRequest,
} from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import { insertOrder, recordPurchases } from '#test/support/rows.ts'

/** A product with everything by which one is found: each text has its word, which no other product has. */
interface Listed {
  readonly word: string
  readonly id: number
  /** The product that was bought with it. */
  readonly beside: number
  readonly parent: number
  readonly review: number
  readonly image: number
  readonly etag: string
}

type Kind = 'item' | 'list' | 'public' | 'parents'

/**
 * The ways to see a product: whoever does finds its word in the response. An `item` is 404 for others; a `list` is
 * without it. `public` lists have active products only, for everybody. A list of `parents` finds one by its variants, which
 * it does not by a variant that is hidden on its own.
 */
const ways: readonly (readonly [Kind, path: (of: Listed) => string])[] = [
  ['item', ({ id }) => `/products/${id}`],
  ['item', ({ id }) => `/v2/products/${id}`],
  ['item', ({ id }) => `/products/${id}?include=reviews,related`],
  ['item', ({ id }) => `/products/${id}/reviews`],
  ['item', ({ id, review }) => `/products/${id}/reviews/${review}`],
  ['item', ({ id }) => `/products/${id}/images`],
  ['item', ({ id, image }) => `/products/${id}/images/${image}`],
  ['list', () => '/products?variants=all&limit=100'],
  ['list', () => '/products?variants=all&limit=100&order=desc'],
  ['list', () => '/products?variants=all&limit=100&sort=name'],
  ['list', () => '/products?variants=all&limit=100&sort=price'],
  ['list', () => '/products?variants=all&limit=100&sort=rating'],
  ['list', () => '/products?variants=all&limit=100&sort=created_at'],
  ['list', () => '/products?variants=all&limit=100&sort=updated_at'],
  ['list', () => '/products?variants=all&limit=100&availability=in_stock'],
  ['list', () => '/products?variants=all&limit=100&availability=in_stock&sort=price'],
  ['list', () => '/products?variants=all&limit=100&price_min=5&price_max=50'],
  ['list', () => '/products?variants=all&limit=100&price_min=5&sort=name'],
  ['list', () => '/products?variants=all&limit=100&created_since=2020-01-01T00:00:00Z'],
  ['list', () => '/products?variants=all&limit=100&updated_since=2020-01-01T00:00:00Z'],
  ['list', ({ word }) => `/products?variants=all&q=${word}`],
  ['list', ({ word }) => `/products?variants=all&q=${word}&sort=name`],
  ['list', ({ word }) => `/products?variants=all&q=${word}&price_max=50`],
  ['list', ({ word }) => `/products?variants=all&q=${word.slice(0, -2)}`],
  ['list', ({ word }) => `/products?variants=all&q=${misspelled(word)}`],
  ['list', ({ word }) => `/products?variants=all&category=${word}`],
  ['list', ({ word }) => `/products?variants=all&category=${word}&sort=price`],
  ['list', ({ word }) => `/products?variants=all&brand=${word}`],
  ['list', ({ word }) => `/products?variants=all&tag=${word}`],
  ['list', ({ word }) => `/products?variants=all&name=${word}`],
  ['list', ({ word }) => `/products?sku=${word}`],
  ['list', ({ word }) => `/products?external_id=${word}`],
  ['list', ({ word }) => `/products?handle=${word}`],
  ['list', ({ word }) => `/products?handle=former-${word}`],
  ['list', () => '/products?variants=all&facets=category'],
  ['list', () => '/products?variants=all&facets=category&price_max=50.01'],
  ['list', () => '/products?variants=all&facets=category&created_since=2020-01-01T00:00:00Z'],
  ['list', () => '/v2/products?variants=all&limit=100'],
  ['public', ({ beside }) => `/products/${beside}/related`],
  ['public', ({ beside }) => `/products/${beside}?include=related`],
  ['list', () => '/categories?limit=100'],
]

/** Ways to see a variant. */
const waysOfVariants: typeof ways = [
  ['item', ({ parent }) => `/products/${parent}/variants`],
  ['parents', ({ word }) => `/products?option.finish=${word}`],
  ['list', ({ word }) => `/products?variants=all&option.finish=${word}`],
  ['parents', ({ word }) => `/products?option.finish=${word}&option.size=m`],
  ['parents', () => '/products?facets=option.finish'],
  ['parents', () => '/products?facets=attribute.maker'],
  ['parents', ({ word }) => `/products?attribute.maker=${word}`],
  ['list', () => '/products?variants=all&facets=option.finish'],
  ['parents', () => '/products?facets=option.finish&price_max=50.01'],
  ['parents', () => '/products?facets=option.finish&option.size=m'],
]

/** A word with two letters exchanged. */
const misspelled = (word: string): string =>
  `${word.slice(0, 4)}${word.charAt(5)}${word.charAt(4)}${word.slice(6)}`

const states = [
  ...(['active', 'draft', 'archived', 'variant'] as const),
  // Variants of a parent that is hidden, and one that is on its own.
  ...(['of_draft', 'of_archived', 'draft_variant'] as const),
] as const
type State = (typeof states)[number]

const words: Readonly<Record<State, string>> = {
  active: 'quilvanter',
  draft: 'brimhosted',
  archived: 'plontegris',
  variant: 'wexformily',
  of_draft: 'dulkemarno',
  of_archived: 'fyzokarept',
  draft_variant: 'grolshipne',
}

const isVariant = (state: State): boolean => state.endsWith('variant') || state.startsWith('of_')
const isShown = (state: State): boolean => state === 'active' || state === 'variant'

/** Only what is hidden with its variant has its word. */
const parentOf = (state: State) => {
  const word = state === 'draft_variant' ? 'Parent' : words[state]
  return { name: `The ${word}`, category: word, price: 20 }
}

eachDatabase((kind) => {
  describe('a product that is a draft or archived, or whose parent is', () => {
    let shop: TestApp
    let admin: TestCaller
    let callers: Readonly<Record<string, TestRequest>>
    const products = new Map<State, Listed>()

    const post = async (path: string, body: object, as: { request: TestRequest } = admin) => {
      const { status, json, text } = await as.request('POST', path, body)
      assert.equal(status, 201, `${path}: ${text}`)
      return json
    }

    const addImage = async (id: number, alt: string): Promise<number> => {
      const { payload, headers } = validUpload
      const path = `/products/${id}/images`
      const { json, text } = await sendBytes(shop, admin, path, payload, headers)
      assert.ok(json.id, text)
      await admin.request('PATCH', `/products/${id}/images/${json.id}`, { alt })
      return json.id
    }

    /** Creates an active product with all that is found of it. */
    const add = async (state: State, buyer: TestCaller): Promise<Listed> => {
      const word = words[state]
      const attributes = { maker: word }
      const texts = { category: word, brand: word, tags: [word], attributes, price: 20, stock: 5 }
      const parent = isVariant(state) ? (await post('/products', parentOf(state))).id : 0
      const options = { variant_of: parent, options: { finish: word, size: 'm' } }
      const { id } = await post('/products', {
        ...{ name: word, sku: word, external_id: word, handle: `former-${word}`, ...texts },
        ...(parent ? options : {}),
      })
      await admin.request('PATCH', `/products/${id}`, { handle: word })
      const { id: beside } = await post('/products', { name: `Bought beside ${state}`, price: 20 })
      const lines = [id, beside].map((each) => ({ id: each, name: word, price: 2000 }))
      const order = { id: await insertOrder(shop.db, buyer.id, lines), user_id: buyer.id }
      await recordPurchases(shop.store, order)
      const review = await post(`/products/${id}/reviews`, { rating: 5, title: word }, buyer)
      const image = await addImage(id, word)
      const { headers } = await shop.request('GET', `/products/${id}`)
      return { word, id, beside, parent, review: review.id, image, etag: headers['etag'] ?? '' }
    }

    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      const buyer = await shop.signInAs('customer')
      for (const state of states) products.set(state, await add(state, buyer))
      for (const [state, { id, parent }] of products) {
        if (isShown(state)) continue
        const status = state.endsWith('archived') ? 'archived' : 'draft'
        const hidden = state.startsWith('of_') ? parent : id
        const { text, json } = await admin.request('PATCH', `/products/${hidden}`, { status })
        assert.equal(json.status, status, text)
      }
      const other = ['orders:read', 'files:write', 'events:read', 'reviews:write'] as const
      callers = {
        stranger: shop.request,
        guest: (await startGuest(shop)).request,
        buyer: buyer.request,
        'an administrator without products:write': await scopedCaller(shop, admin, other),
        'an administrator': admin.request,
      }
    })
    after(() => shop.dispose())

    for (const [kindOfWay, pathOf] of [...ways, ...waysOfVariants]) {
      const example = pathOf({ ...({} as Listed), word: 'WORD' }).replaceAll('undefined', 'ID')
      test(`${example} shows it to those who may write products only`, async () => {
        for (const [state, product] of products) {
          if (waysOfVariants.some(([, path]) => path === pathOf) && !isVariant(state)) continue
          for (const [name, request] of Object.entries(callers)) {
            const about = `${name}, ${state}`
            const isOwn = state === 'draft_variant'
            const isPublic = kindOfWay === 'public' || (kindOfWay === 'parents' && isOwn)
            const isSeen = isShown(state) || (name === 'an administrator' && !isPublic)
            const isFoundByPath =
              isSeen || (isOwn && waysOfVariants.some(([, path]) => path === pathOf))
            const { status, json, text } = await request('GET', pathOf(product))
            assert.equal(
              status,
              kindOfWay === 'item' && !isFoundByPath ? 404 : 200,
              `${about}: ${text}`,
            )
            // The links of a list repeat its filters.
            const { _links, ...shown } = json
            const isFound = JSON.stringify(shown).includes(product.word)
            assert.equal(isFound, isSeen, `${about}: ${text}`)
          }
        }
      })
    }
  })
})
