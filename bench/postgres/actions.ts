import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ServerOptions, startServer } from '../server.ts'
import { call, logIn, payment, type Shop, shipping } from '../shop.ts'
import { openWire, type SentStatement } from './wire.ts'

/** What one request sends to the database. */
export interface Action {
  readonly statements: readonly SentStatement[]
  readonly roundTrips: number
  /** ID of what it created: an order, a payment or a line of a cart. */
  readonly createdId: number
}

const firstUser = 700_001
const firstProduct = 300_001
const firstOrder = 500_000_001
const firstLine = 900_000_001
const captures = 7

/** SQL that numbers rows so that their IDs are found again wherever they are in a statement. */
export const numberedApart = `
  select setval(pg_get_serial_sequence('users', 'id'), ${firstUser - 1});
  select setval(pg_get_serial_sequence('products', 'id'), ${firstProduct - 1});
  select setval(pg_get_serial_sequence('orders', 'id'), ${firstOrder - 1});
  select setval(pg_get_serial_sequence('cart_items', 'id'), ${firstLine - 1});`

/** Records what a server sends for each action, one request at a time. */
export async function captureActions(
  options: ServerOptions & { readonly url: string },
  { buyers: [buyer], productIds: [product_id = 0, other = 0] }: Shop,
): Promise<ReadonlyMap<string, Action>> {
  if (!buyer) throw new Error('nobody buys')
  using wire = await openWire(options.url)
  await using server = await startServer({ ...options, url: wire.url })
  const found = new Map<string, Action[]>()
  const record = async (name: string, method: string, path: string, body: object) => {
    await logIn(server)
    wire.take()
    const { token } = buyer
    const { id } = await call<{ id: number }>(server, method, path, { token, body })
    found.set(name, [...(found.get(name) ?? []), actionOf(wire.take(), id)])
    return id
  }
  const orders = `/users/${buyer.id}/orders`
  const items = [product_id, other].map((id) => ({ product_id: id, quantity: 1 }))
  for (let turn = 0; turn < captures; turn += 1) {
    const id = await record('order of two', 'POST', orders, { items, shipping })
    await record('payment', 'POST', `${orders}/${id}/payment`, payment)
    await record('add to cart', 'POST', '/cart', { product_id, quantity: 1 })
    await record('order of the cart', 'POST', orders, {})
    await record('shipping', 'PUT', `/orders/${id + 1}/shipping`, shipping)
  }
  return new Map(Array.from(found, ([name, actions]) => [name, mostCommon(actions)]))
}

/** Without the notification of other processes: the server sends one for many changes. */
function actionOf(sent: readonly SentStatement[], createdId: number): Action {
  const statements = sent.filter(({ sql }) => !sql.includes('pg_notify'))
  const roundTrips = statements.filter(({ isPipelined }) => !isPipelined).length
  return { statements, roundTrips, createdId }
}

/** Jobs of the server may come in between, but not each time. */
function mostCommon(actions: readonly Action[]): Action {
  const shapeOf = ({ statements, roundTrips }: Action) =>
    JSON.stringify([roundTrips, statements.map(({ sql }) => sql)])
  const groups = [...Map.groupBy(actions, shapeOf).values()].sort((a, b) => b.length - a.length)
  const [action, ...same] = groups[0] ?? []
  if (!action || same.length + 1 < captures / 2) throw new Error('an action differs each time')
  return action
}

/**
 * Writes the pgbench script that performs an action for a user of each client; returns its path.
 */
export function writeScript(action: Action, directory: string, shop: Shop): string {
  const { buyers, productIds } = shop
  const [product = 0, next = 0] = productIds
  const buyer = buyers[0]?.id
  const variables = new Map([
    [String(buyer), 'buyer'],
    [String(product), 'product'],
    [String(next), 'next_product'],
  ])
  // Named as the statement that requests it names its column.
  const { createdId } = action
  if (createdId >= firstLine) variables.set(String(createdId), 'line_id')
  else if (createdId >= firstOrder) variables.set(String(createdId), 'next_order_id')
  const settings = [
    `\\set place random(0, ${productIds.length - 1})`,
    `\\set product ${product} + :place`,
    `\\set next_product ${product} + (:place + 1) % ${productIds.length}`,
    `\\set buyer ${buyer} + :client_id`,
    // Later each time, as the moments are at which the server writes.
    '\\set turn :turn + 1',
    `\\set moment ${Date.now()} + :turn`,
  ]
  const script = resolve(directory, `action-${createdId}.sql`)
  const lines = [...settings, ...scriptLines(action.statements, variables)]
  writeFileSync(script, `${lines.join('\n')}\n`)
  return script
}

/** Each statement as it was sent, except its values; what was pipelined is pipelined. */
function scriptLines(
  statements: readonly SentStatement[],
  variables: ReadonlyMap<string, string>,
): readonly string[] {
  const lines: string[] = []
  const moments = statements.flatMap(({ parameters }) => parameters.filter(isMoment)).map(Number)
  const earliest = Math.min(...moments)
  for (const group of pipelinesOf(statements)) {
    // pgbench cannot keep the result of a statement within a pipeline.
    const isPipeline = group.length > 1 && !group.some(isKept)
    if (isPipeline) lines.push('\\startpipeline')
    for (const statement of group) {
      const { sql, parameters } = statement
      const text = sql
        .replaceAll(/\$(\d+)/g, (_, place) =>
          expression(parameters[place - 1], variables, earliest),
        )
        .replaceAll(/\s*\n\s*/g, ' ')
      lines.push(isKept(statement) ? `${text} \\aset` : `${text};`)
    }
    if (isPipeline) lines.push('\\endpipeline')
  }
  return lines
}

/** A later statement uses the ID that this one draws. */
const isKept = ({ sql }: SentStatement): boolean => sql.includes('nextval')

/** The statements, grouped by what was sent together. */
function pipelinesOf(statements: readonly SentStatement[]): readonly (readonly SentStatement[])[] {
  const groups: SentStatement[][] = []
  for (const statement of statements) {
    const last = groups.at(-1)
    const follows = statement.isPipelined && last?.[0]?.connection === statement.connection
    if (follows) last?.push(statement)
    else groups.push([statement])
  }
  return groups
}

/** A value in which IDs are variables, and a moment is as much later than `moment` as it was. */
function expression(
  value: string | null | undefined,
  variables: ReadonlyMap<string, string>,
  earliest: number,
): string {
  if (value === null || value === undefined) return 'null'
  if (isMoment(value)) return `(:moment::bigint + ${Number(value) - earliest})`
  const ids = [...variables.keys()].join('|')
  const parts = value.split(new RegExp(`(${ids})`)).filter((part) => part !== '')
  const terms = parts.map((part) => {
    const name = variables.get(part)
    return name === undefined ? literalOf(part) : `:${name}`
  })
  if (terms.length === 0) return "''"
  return terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' || ')})`
}

/** A text in which pgbench finds no variable: it reads `:null` as one, within quotes too. */
const literalOf = (text: string): string =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\072')}'`

/** Milliseconds of a moment of these years. */
const isMoment = (value: string | null): boolean => /^1[789]\d{11}$/.test(value ?? '')
