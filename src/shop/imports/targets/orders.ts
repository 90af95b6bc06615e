import { bodyOfVersion } from '#http/codec/version-transform.ts'
import { latestVersion } from '#http/message/api-versions.ts'
import { createMessage, type MessageKey } from '#i18n/message.ts'
import {
  insertImportedOrders,
  type OrderToImport,
  productOf,
  type SoldProducts,
} from '#shop/orders/imported/actions.ts'
import { describeImportedOrder } from '#shop/orders/imported/rules.ts'
import { ImportedOrder, ImportedRow, itemFields } from '#shop/orders/imported/schema.ts'
import { copyOrders, findKnownOrders, findSoldProducts } from '#shop/orders/imported/store.ts'
import { Order } from '#shop/orders/orders/schema.ts'
import { type FieldIssue, fieldProblem, Problem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import type { RowOutcome } from '../rules.ts'
import { requireOneLine } from './one-line.ts'
import {
  bodyReader,
  catchRowErrors,
  type ImportContext,
  type ImportTarget,
  isRejected,
  type KeyedRow,
  requireRowKey,
  textsOf,
  withoutNulls,
} from './target.ts'

const readOrder = bodyReader<ImportedOrder>(ImportedOrder, { schema: Order })

/** A date, with or without a time and a zone, which is UTC without one. */
const dateForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/

/** Returns a date as RFC 3339 writes it, as far as other systems write it otherwise. */
function isoTextOf(value: unknown): unknown {
  const [, day, time = '00:00', seconds = ':00', zone = 'Z'] =
    (typeof value === 'string' && dateForm.exec(value.trim())) || []
  if (day === undefined) return value
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return `${day}T${time}${seconds}${offset}`
}

/** Returns fields with the number as a text, also where JSON has a number. */
const withNumberText = ({ number, ...fields }: KeyedRow['fields']): KeyedRow['fields'] => ({
  ...fields,
  number: typeof number === 'number' ? String(number) : number,
})

/** Returns what a row makes. Throws a Problem for what is wrong with it. */
function describeRow({ fields }: KeyedRow, { shop, begunAt }: ImportContext): OrderToImport {
  const given = withoutNulls(withNumberText(fields))
  requireOneLine(ImportedOrder, given, () => false)
  const order = { ...given, created_at: isoTextOf(given['created_at']) }
  return describeImportedOrder(readOrder(order, shop), shop, begunAt)
}

const issue = (field: string, key: MessageKey): FieldIssue => ({
  field,
  message: createMessage(key),
})

const duplicate = (field: string, key: MessageKey) =>
  new Problem('4092', createMessage(key), { issues: [issue(field, key)] })

/** Throws 400/4001 for each item without a name whose SKU no product here has. */
function requireNames({ lines }: OrderToImport, products: SoldProducts): void {
  const issues = lines.flatMap((line, at) =>
    line.name === null && !productOf(products, line)
      ? [{ ...issue(`items[${at}].name`, 'import.unnamed_item'), missing: true }]
      : [],
  )
  if (issues.length > 0) throw fieldProblem(issues)
}

/** The numbers and IDs that orders have, as rows before have added them. */
class KnownOrders {
  readonly #sources = new Map<string, string>()
  readonly #externalIds = new Set<string>()

  constructor(found: Awaited<ReturnType<typeof findKnownOrders>>) {
    for (const { number_key, external_id, source } of found) {
      this.#sources.set(number_key, source)
      if (external_id !== null) this.#externalIds.add(external_id)
    }
  }

  /** True if a row has been imported. Throws 409/4092 for the number of an order that was placed here. */
  has(key: string): boolean {
    const source = this.#sources.get(key)
    if (source === 'api') throw duplicate('number', 'import.number_taken')
    return source !== undefined
  }

  /** Throws 409/4092 for the ID of another order. */
  add({ columns: { external_id } }: OrderToImport): void {
    if (external_id === null) return
    if (this.#externalIds.has(external_id)) {
      throw duplicate('external_id', 'order.duplicate_external_id')
    }
    this.#externalIds.add(external_id)
  }
}

const keysOf = (rows: readonly KeyedRow[]): readonly string[] => rows.map(({ key }) => key)
const externalIdsOf = (rows: readonly KeyedRow[]) => textsOf(rows, 'external_id')

async function save(ctx: ImportContext, rows: readonly KeyedRow[]): Promise<readonly RowOutcome[]> {
  const known = new KnownOrders(await findKnownOrders(ctx.db, keysOf(rows), externalIdsOf(rows)))
  const described = rows.map((row) =>
    catchRowErrors(() => (known.has(row.key) ? undefined : describeRow(row, ctx))),
  )
  const skus = described.flatMap((order) =>
    order && !isRejected(order) ? order.lines.flatMap(({ sku }) => sku ?? []) : [],
  )
  const products = await findSoldProducts(ctx.shopDb, skus.map(textKey))
  const created: OrderToImport[] = []
  const outcomes = described.map((order): RowOutcome => {
    if (order === undefined) return 'unchanged'
    if (isRejected(order)) return order
    const rejected = catchRowErrors(() => {
      requireNames(order, products)
      known.add(order)
      created.push(order)
    })
    return rejected ?? 'created'
  })
  await insertImportedOrders(ctx.db, created, products, ctx.now)
  return outcomes
}

/** The orders of another shop, by their numbers: history, which later rows do not change. */
export const orderTarget: ImportTarget = {
  scope: 'orders:write',
  body: ImportedRow,
  latestBody: bodyOfVersion(latestVersion, { schema: Order }, ImportedRow).body,
  keyFields: ['number'],
  exportedOnly: ['items'],
  keyOf: (fields) => textKey(requireRowKey(withNumberText(fields), 'number')),
  list: { by: 'number', field: 'items', of: Object.keys(itemFields) },
  copyRelated: (from, to, rows) => copyOrders(from, to, keysOf(rows), externalIdsOf(rows)),
  // What is read of orders and products is small.
  weigh: async () => 0,
  save,
}
