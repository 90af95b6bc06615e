// Buys with the client that openapi-typescript generates of version 2.
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript-v2'
import { newAccount, payment, query, shipping } from './purchase'

const [, , base = ''] = process.argv
const shop = createClient<paths>({ baseUrl: `${base}/v2` })
const account = newAccount('openapi-typescript')

function dataOf<T>({
  data,
  error,
  response,
}: {
  data?: T
  error?: unknown
  response: Response
}): T {
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`)
  return data
}

dataOf(await shop.POST('/users', { body: { name: 'Ada Lovelace', ...account } }))
const { token } = dataOf(await shop.POST('/login', { body: account }))
shop.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${token}`),
})
const [product] = dataOf(await shop.GET('/products', { params: { query } })).data
if (!product) throw new Error('nothing to buy')
dataOf(await shop.POST('/cart', { body: { product_id: product.id, quantity: 2 } }))
const { id } = dataOf(await shop.GET('/profile'))
const order = dataOf(
  await shop.POST('/users/{id}/orders', {
    params: { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { shipping },
  }),
)
const paid = dataOf(
  await shop.POST('/users/{id}/orders/{orderId}/payment', {
    params: { path: { id, orderId: order.id } },
    body: payment,
  }),
)
if (paid.status !== 'succeeded') throw new Error(paid.status)
console.log(`openapi-typescript: paid ${paid.amount.amount} ${paid.amount.currency}`)
