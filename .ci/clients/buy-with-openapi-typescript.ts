// Buys with the client that openapi-typescript generates of version 2.
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript-v2'

const [, , base = ''] = process.argv
const shop = createClient<paths>({ baseUrl: `${base}/v2` })
const account = { username: `first-${Date.now()}`, password: 'correct horse battery staple' }

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
const query = { availability: ['in_stock' as const], price_max: 50 }
const [product] = dataOf(await shop.GET('/products', { params: { query } })).data
if (!product) throw new Error('nothing to buy')
dataOf(await shop.POST('/cart', { body: { product_id: product.id, quantity: 2 } }))
const { id } = dataOf(await shop.GET('/profile'))
const address = {
  line1: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB' as const,
}
const order = dataOf(
  await shop.POST('/users/{id}/orders', {
    params: { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { shipping: { recipient: 'Ada Lovelace', address } },
  }),
)
const payment = dataOf(
  await shop.POST('/users/{id}/orders/{orderId}/payment', {
    params: { path: { id, orderId: order.id } },
    body: { method: 'card', token: 'tok_visa' },
  }),
)
if (payment.status !== 'succeeded') throw new Error(payment.status)
console.log(`openapi-typescript: paid ${payment.amount.amount} ${payment.amount.currency}`)
