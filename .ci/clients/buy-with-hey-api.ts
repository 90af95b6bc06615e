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
import { newAccount, payment, query, shipping } from './purchase'

const [, , baseUrl = ''] = process.argv
const account = newAccount('hey-api')
const throwOnError = true
let token: string | undefined
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) })

await signUp({ body: { name: 'Ada Lovelace', ...account }, throwOnError })
token = (await logIn({ body: account, throwOnError })).data.token
const [product] = (await listProducts({ query, throwOnError })).data.data
if (!product) throw new Error('nothing to buy')
await addToCart({ body: { product_id: product.id, quantity: 1 }, throwOnError })
const { id } = (await getProfile({ throwOnError })).data
const { data: order } = await placeOrder({
  path: { id },
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: { shipping },
  throwOnError,
})
const path = { id, orderId: order.id }
const { data: paid } = await payOrder({ path, body: payment, throwOnError })
if (paid.status !== 'succeeded') throw new Error(paid.status)
console.log(`@hey-api/openapi-ts: paid ${paid.amount}`)
