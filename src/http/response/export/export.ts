import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeRecord } from '#http/codec/csv/cells.ts'
import { writeWorkbook } from '#http/codec/xlsx/workbook.ts'
import type { FeedPage, FeedPosition, FeedRequest, ListedPage } from '#http/declare/pages.ts'
import type { Route } from '#http/declare/route.ts'
import { codecFor, type ValidatedExchange } from '#http/exchange/exchange.ts'
import type { Response } from '#http/exchange/response.ts'
import { queryType, type Representation } from '#http/message/media-type.ts'
import { linkHeader } from '#http/response/pagination/link-header.ts'
import { paginateFeed } from '#http/response/pagination/paginate-feed.ts'

/** Entities are read and written in parts of this size, so that other requests are served in between. */
const batchSize = 50
/** The same where each entity includes others, of which a response embeds a limited number. */
const batchSizeWithIncludes = 10

type Handle = NonNullable<Route['handle']>

/** True where the whole collection is requested instead of a page. */
export const isExport = ({ format }: Representation): boolean =>
  format === 'ndjson' || format === 'csv' || format === 'xlsx'

/** Returns a whole list, whatever page is requested; its filters and its order apply. */
export function exportList(exchange: ValidatedExchange, handle: Handle): Response {
  const whole = exportResponse(exchange, {}, (snapshot) => pagesOf(snapshot, handle))
  const { ctx, params, language, representation, route } = exchange
  const { table } = route
  if (!table || representation.format !== 'csv') return whole
  const { hasMark } = representation
  return {
    ...whole,
    download: (db) => writeTable(table({ ...ctx, db }, { params, language }), hasMark),
  }
}

async function* writeTable(
  rows: AsyncIterable<readonly unknown[]>,
  hasMark: boolean | undefined,
): AsyncGenerator<string, void> {
  let mark = hasMark ? '\ufeff' : ''
  for await (const row of rows) {
    yield mark + writeRecord(row)
    mark = ''
  }
}

/**
 * Returns the entries of a feed from the cursor, or its beginning, to its end now. `Link` leads to what
 * follows later.
 */
export async function exportFeed(exchange: ValidatedExchange, handle: Handle): Promise<Response> {
  const { ctx, input, params } = exchange
  const feed: FeedRequest = { ...input.feed, limit: 1 }
  // On the database, since this may write: a feed is numbered when it is read.
  const first = (await handle(ctx, { ...input, params, feed })) as FeedPage<unknown>
  const upTo = first.end
  const { links } = paginateFeed(exchange, { ...first, next: upTo })
  return exportResponse(exchange, linkHeader(links), (snapshot) =>
    entriesOf(snapshot, handle, upTo),
  )
}

function exportResponse(
  exchange: ValidatedExchange,
  headers: Response['headers'],
  readBatches: (snapshot: ValidatedExchange) => AsyncIterable<readonly unknown[]>,
): Response {
  const { representation, route, ctx } = exchange
  const { contentType, format } = representation
  return {
    status: 200,
    headers: {
      ...headers,
      'accept-query': queryType,
      'content-type': contentType,
      'content-disposition': `attachment; filename="${route.resource.name}.${format}"`,
    },
    download: (db) => {
      const snapshot = { ...exchange, ctx: { ...ctx, db } }
      return format === 'xlsx'
        ? writeBook(snapshot, readBatches(snapshot))
        : write(snapshot, readBatches(snapshot))
    },
  }
}

/** The text of an export; the first part has the first entities, so a problem comes before any text. */
async function* write(
  snapshot: ValidatedExchange,
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string, void> {
  const writer = await codecFor(snapshot).createRowWriter(snapshot)
  let text = writer.header
  for await (const entities of batches) {
    text += await writer.write(entities)
    if (text !== '') yield text
    text = ''
    // A read of SQLite blocks the event loop.
    await nextTurn()
  }
}

/** The workbook of an export. */
async function* writeBook(
  snapshot: ValidatedExchange,
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Buffer, void> {
  const writer = await codecFor(snapshot).createRowWriter(snapshot)
  async function* rows() {
    for await (const entities of batches) {
      yield { text: await writer.write(entities), count: entities.length }
      await nextTurn()
    }
  }
  yield* writeWorkbook(writer.header, rows())
}

/** Follows the cursors of a list. */
async function* pagesOf(
  { ctx, input, params }: ValidatedExchange,
  handle: Handle,
): AsyncGenerator<readonly unknown[], void> {
  const { sort, order, times } = input.page
  const limit = input.include.length > 0 ? batchSizeWithIncludes : batchSize
  const first = { sort, order, times, page: 1, limit, byCursor: true }
  let cursor: ListedPage<unknown>['next']
  do {
    const page = { ...first, cursor }
    const found = (await handle(ctx, { ...input, params, page })) as ListedPage<unknown>
    yield found.rows
    cursor = found.next
  } while (cursor)
}

/** Follows the positions of a feed up to one of them. */
async function* entriesOf(
  { ctx, input, params }: ValidatedExchange,
  handle: Handle,
  upTo: FeedPosition,
): AsyncGenerator<readonly unknown[], void> {
  let { after } = input.feed
  do {
    const feed = { limit: batchSize, after, upTo }
    const found = (await handle(ctx, { ...input, params, feed })) as FeedPage<unknown>
    yield found.rows
    after = found.next
  } while (after.number < upTo.number)
}
