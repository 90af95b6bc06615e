import { writeRecord } from '#http/codec/csv/cells.ts'
import { createMessage } from '#i18n/message.ts'
import { maxRecordBytes, UnreadableFileError } from './records.ts'
import { readXml } from './xlsx/read-xml.ts'

/** The columns as which the elements of an item are read; of each, the first one counts. */
const columns = [
  ...['id', 'title', 'description', 'link', 'image_link', 'additional_image_link'],
  ...['availability', 'price', 'sale_price', 'sale_price_effective_date', 'brand', 'gtin', 'mpn'],
  ...['item_group_id', 'color', 'size', 'material', 'pattern', 'product_type'],
  ...['google_product_category', 'shipping_weight', 'cost_of_goods_sold', 'condition'],
  ...['gender', 'age_group'],
] as const
type Column = (typeof columns)[number]

const isColumn = (name: string): name is Column => columns.includes(name as Column)

/** What Atom calls a column. */
const atomNames: Readonly<Record<string, Column>> = {
  summary: 'description',
  content: 'description',
}

const maxDepth = 32

const brokenFeed = (cause?: unknown): UnreadableFileError =>
  new UnreadableFileError(createMessage('import.broken_feed'), { cause })

/** An element of an item that is being read. */
interface OpenElement {
  readonly column: Column
  readonly isPrefixed: boolean
  text: string
}

/** Turns the elements of a feed into lines of CSV. */
class FeedReader {
  #lines = ''
  #depth = 0
  /** The depth of the elements of the item that is read; 0 outside of one. */
  #itemDepth = 0
  #item = new Map<Column, { text: string; readonly isPrefixed: boolean }>()
  #element: OpenElement | undefined
  #length = 0
  /** The number of items. */
  items = 0

  /** Returns the lines since the last call. */
  take(): string {
    const lines = this.#lines
    this.#lines = ''
    return lines
  }

  open(name: string, attributes: Readonly<Record<string, string>>, isPrefixed: boolean): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw brokenFeed()
    if (this.#itemDepth === 0 && (name === 'item' || name === 'entry')) {
      this.#itemDepth = this.#depth + 1
    } else if (this.#depth === this.#itemDepth) {
      const column = isColumn(name) ? name : atomNames[name]
      const text = column === 'link' ? (attributes['href'] ?? '') : ''
      this.#element = column && { column, isPrefixed, text }
    }
  }

  add(text: string): void {
    if (!this.#element || this.#depth !== this.#itemDepth) return
    this.#length += text.length
    if (this.#length > maxRecordBytes / 2) throw brokenFeed()
    this.#element.text += text
  }

  close(): void {
    if (this.#depth === this.#itemDepth && this.#element) this.#endElement(this.#element)
    this.#depth -= 1
    if (this.#itemDepth > 0 && this.#depth < this.#itemDepth - 1) this.#endItem()
  }

  /** Elements of Google, which have a prefix, come before those of RSS and Atom. */
  #endElement({ column, isPrefixed, text }: OpenElement): void {
    this.#element = undefined
    const value = text.trim()
    const known = this.#item.get(column)
    if (value === '') return
    if (known && column === 'additional_image_link') known.text += `, ${value}`
    else if (!known || (isPrefixed && !known.isPrefixed)) {
      this.#item.set(column, { text: value, isPrefixed })
    }
  }

  #endItem(): void {
    this.#lines += writeRecord(columns.map((column) => this.#item.get(column)?.text ?? ''))
    this.#item = new Map()
    this.#itemDepth = 0
    this.#length = 0
    this.items += 1
  }
}

/**
 * Yields the items of a feed of Google Merchant Center, RSS 2.0 or Atom, as CSV. Throws an UnreadableFileError for other
 * documents, and for one with a document type.
 */
export async function* readGoogleFeed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new FeedReader()
  const handlers = {
    onOpen: reader.open.bind(reader),
    onText: reader.add.bind(reader),
    onClose: reader.close.bind(reader),
  }
  yield Buffer.from(writeRecord(columns))
  for await (const _ of readXml(content, handlers, brokenFeed)) yield Buffer.from(reader.take())
  if (reader.items === 0) throw brokenFeed()
}
