import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Child, stopping } from '../child.ts'
import type { Shop } from '../scenarios.ts'
import { administrator, logIn } from '../shop.ts'
import { type Subject, startServerOver } from '../subjects.ts'
import { scriptOf } from './script.ts'
import { openWire, type SentStatement } from './wire.ts'

/** What one act sends to the database, and how often it waits for the answer. */
export interface Act {
  readonly statements: readonly SentStatement[]
  readonly waits: number
  /** The order, payment or line of a cart that was made of it. */
  readonly madeId: number
}

const firstUser = 700_001
const firstProduct = 300_001
const firstOrder = 500_000_001
const firstLine = 900_000_001
const captures = 7

/** Numbers that are found again in a statement wherever they stand. */
export const actsOf = {
  numbering: `
    select setval(pg_get_serial_sequence('users', 'id'), ${firstUser - 1});
    select setval(pg_get_serial_sequence('products', 'id'), ${firstProduct - 1});
    select setval(pg_get_serial_sequence('orders', 'id'), ${firstOrder - 1});
    select setval(pg_get_serial_sequence('cart_items', 'id'), ${firstLine - 1});`,
}

type Ask = (method: string, path: string, body: object) => Promise<{ readonly id: number }>

/** Takes down what the server sends for each act, by a server that is asked one thing at a time. */
export async function captureActs(
  subject: Pick<Subject, 'entry' | 'url' | 'directory'>,
  shop: Shop,
): Promise<ReadonlyMap<string, Act>> {
  const wire = await openWire(subject.url)
  try {
    const server = await startServerOver({ ...subject, url: wire.url, log: 'wire.log' })
    return await stopping(server, () => captureOver(server, wire.take, shop))
  } finally {
    wire.close()
  }
}

async function captureOver(
  server: Child,
  take: () => readonly SentStatement[],
  { buyers, productIds }: Shop,
): Promise<ReadonlyMap<string, Act>> {
  const [buyer] = buyers
  if (!buyer) throw new Error('nobody buys')
  const ask = asking(server, buyer.token)
  const [one = 0, other = 0] = productIds
  const items = [one, other].map((product_id) => ({ product_id, quantity: 1 }))
  const found = new Map<string, Act[]>()
  const note = async (name: string, work: () => Promise<{ readonly id: number }>) => {
    await logIn(server, administrator)
    take()
    const { id } = await work()
    const known = found.get(name) ?? []
    found.set(name, [...known, actOf(take(), id)])
    return id
  }
  const orders = `/users/${buyer.id}/orders`
  for (let turn = 0; turn < captures; turn += 1) {
    const id = await note('order of two', () => ask('POST', orders, { items }))
    await note('payment', () =>
      ask('POST', `${orders}/${id}/payment`, { method: 'card', token: 'tok_visa' }),
    )
    await note('add to cart', () => ask('POST', '/cart', { product_id: one, quantity: 1 }))
    await note('order of the cart', () => ask('POST', orders, {}))
    await note('shipping', () => ask('PUT', `/orders/${id + 1}/shipping`, { method: 'standard' }))
  }
  return new Map([...found].map(([name, acts]) => [name, mostCommon(acts)]))
}

const asking =
  (server: Child, token: string): Ask =>
  async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { readonly id: number }
  }

/** What is told to other processes is left out: the server tells many changes together. */
function actOf(sent: readonly SentStatement[], madeId: number): Act {
  const statements = sent.filter(({ sql }) => !sql.includes('pg_notify'))
  const waits = statements.filter(({ isPipelined }) => !isPipelined).length
  return { statements, waits, madeId }
}

/** Jobs of the server may come in between, but not each time. */
function mostCommon(acts: readonly Act[]): Act {
  const shapeOf = ({ statements, waits }: Act) =>
    JSON.stringify([waits, statements.map(({ sql }) => sql)])
  const [first] = [...Map.groupBy(acts, shapeOf).values()].sort((a, b) => b.length - a.length)
  const act = first?.[0]
  if (!act || first.length < captures / 2) throw new Error('an act is not the same each time')
  return act
}

/** Writes the script of pgbench that does the act for a user of each client; gives its place. */
export function writeScript(act: Act, directory: string, shop: Shop): string {
  const { buyers, productIds } = shop
  const [product = 0, next = 0] = productIds
  const [buyer] = buyers
  const stand = new Map([
    [String(buyer?.id), 'buyer'],
    [String(product), 'product'],
    [String(next), 'next_product'],
  ])
  // As the statement calls it that asks for it.
  if (act.madeId >= firstLine) stand.set(String(act.madeId), 'line_id')
  else if (act.madeId >= firstOrder) stand.set(String(act.madeId), 'next_order_id')
  const settings = [
    `\\set place random(0, ${productIds.length - 1})`,
    `\\set product ${product} + :place`,
    `\\set next_product ${product} + (:place + 1) % ${productIds.length}`,
    `\\set buyer ${buyer?.id} + :client_id`,
    // Later each time, as what is written at a moment is.
    '\\set turn :turn + 1',
    `\\set moment ${Date.now()} + :turn`,
  ]
  const script = resolve(directory, `act-${act.madeId}.sql`)
  writeFileSync(script, scriptOf(act.statements, stand, settings))
  return script
}
