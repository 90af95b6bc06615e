// Buys with the client that @hey-api/openapi-ts generates of version 1.
import { client } from './hey-api-v1/client.gen'
import {
  addToCart,
  getProfile,
  listProducts,
  logIn,
  payOrder,
  placeOrder,
  signUp,
} from './hey-api-v1/sdk.gen'

const [, , baseUrl = ''] = process.argv
const account = { username: `second-${Date.now()}`, password: 'correct horse battery staple' }
const throwOnError = true
let token: string | undefined
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) })

await signUp({ body: { name: 'Ada Lovelace', ...account }, throwOnError })
token = (await logIn({ body: account, throwOnError })).data.token
const query = { availability: ['in_stock' as const], price_max: 50 }
const [product] = (await listProducts({ query, throwOnError })).data.data
if (!product) throw new Error('nothing to buy')
await addToCart({ body: { product_id: product.id, quantity: 1 }, throwOnError })
const { id } = (await getProfile({ throwOnError })).data
const address = {
  line1: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB' as const,
}
const { data: order } = await placeOrder({
  path: { id },
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: { shipping: { recipient: 'Ada Lovelace', address } },
  throwOnError,
})
const { data: payment } = await payOrder({
  path: { id, orderId: order.id },
  body: { method: 'card', token: 'tok_visa' },
  throwOnError,
})
if (payment.status !== 'succeeded') throw new Error(payment.status)
console.log(`@hey-api/openapi-ts: paid ${payment.amount}`)
