import type { Child } from './child.ts'
import type { Side } from './compare.ts'
import type { Buyer, checkOut, Shop } from './scenarios.ts'

/** The administrator whom the server under test makes at its first start. */
export const administrator = { username: 'admin', password: 'bench-administrator' }

const buyerPassword = 'bench-password'
const productCount = 100

/** Adds 100 products with plenty in stock, by the server's own API, and gives their ids. */
export async function addProducts(server: Child): Promise<number[]> {
  const token = await logIn(server, administrator)
  const ids: number[] = []
  for (let at = 1; at <= productCount; at += 1) {
    const body = { name: `Bench product ${at}`, price: 10 + at / 100, category: 'bench' }
    const product = await send(server, '/products', { ...body, stock: 1_000_000 }, token)
    ids.push(Number(product['id']))
  }
  return ids
}

/** Registers so many buyers, by the server's own API, and logs each of them in. */
export async function addBuyers(server: Child, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = []
  for (let at = 1; at <= count; at += 1) {
    const email = emailOf(at)
    const user = await send(server, '/users', {
      name: `Bench ${at}`,
      email,
      password: buyerPassword,
    })
    buyers.push({ id: Number(user['id']), token: '' })
  }
  return renewTokens(server, buyers)
}

/** Logs the buyers in again: a token may not live as long as all measurements take. */
export async function renewTokens(server: Child, buyers: readonly Buyer[]): Promise<Buyer[]> {
  const renewed: Buyer[] = []
  for (const { id } of buyers) {
    const credentials = { username: emailOf(renewed.length + 1), password: buyerPassword }
    renewed.push({ id, token: await logIn(server, credentials) })
  }
  return renewed
}

/** The rows that the order floor starts with: its tokens are the users' numbers. */
export function floorShop(buyerCount: number): Shop {
  const numbersTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
  const buyers = numbersTo(buyerCount).map((id) => ({ id, token: String(id) }))
  return { buyers, productIds: numbersTo(productCount) }
}

/** Orders that are paid for, and a look at the last of every buyer: it throws unless that is paid. */
export function noting(
  child: Child,
  shop: Shop,
  scenarioOf: typeof checkOut,
): { readonly side: Side; readonly assertPaid: () => Promise<void> } {
  const last = new Map<Buyer, number>()
  const scenario = scenarioOf(shop, (buyer, orderId) => last.set(buyer, orderId))
  return {
    side: { child, scenario },
    assertPaid: async () => {
      for (const [buyer, orderId] of last) await assertPaid(child, buyer, orderId)
    },
  }
}

/** Throws unless the order, as its buyer reads it, is paid. */
async function assertPaid(server: Child, buyer: Buyer, orderId: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/orders/${orderId}`, {
    headers: { authorization: `Bearer ${buyer.token}` },
  })
  const order = await objectOf(answer)
  if (order['status'] !== 'paid') throw new Error(`not paid: ${JSON.stringify(order)}`)
}

/** Logs somebody in and gives the access token. */
export async function logIn(
  server: Child,
  credentials: { username: string; password: string },
): Promise<string> {
  const session = await send(server, '/login', credentials)
  return String(session['token'])
}

/** Makes an API key of whoever the token is of. */
export async function makeKey(server: Child, token: string): Promise<string> {
  const made = await send(server, '/api-keys', { name: 'Bench' }, token)
  return String(made['key'])
}

/** Posts a body to the server under test; what it answered, unless that was an error. */
export async function send(
  server: Child,
  path: string,
  body: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const content = await objectOf(answer)
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(content)}`)
  return content
}

async function objectOf(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>
}

function emailOf(number: number): string {
  return `bench-${number}@example.com`
}
