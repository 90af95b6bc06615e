// Buys with the client that oazapfts generates of version 2.
import { ok } from '@oazapfts/runtime'
import {
  addToCart,
  defaults,
  getProfile,
  listProducts,
  logIn,
  payOrder,
  placeOrder,
  signUp,
} from './oazapfts-v2'
import { newAccount, payment, query, shipping } from './purchase'

const [, , base = ''] = process.argv
defaults.baseUrl = `${base}/v2`
const account = newAccount('oazapfts')

await ok(signUp({ name: 'Ada Lovelace', ...account }))
const { token } = await ok(logIn(account))
defaults.headers = { authorization: `Bearer ${token}` }
const { availability, price_max: priceMax } = query
const [product] = (await ok(listProducts({ availability, priceMax }))).data
if (!product) throw new Error('nothing to buy')
await ok(addToCart({ product_id: product.id, quantity: 3 }))
const { id } = await ok(getProfile())
const idempotencyKey = crypto.randomUUID()
const order = await ok(placeOrder(id, { shipping }, { idempotencyKey }))
const paid = await ok(payOrder(id, order.id, payment))
if (paid.status !== 'succeeded') throw new Error(paid.status)
console.log(`oazapfts: paid ${paid.amount.amount} ${paid.amount.currency}`)
