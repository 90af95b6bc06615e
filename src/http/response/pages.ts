import { type TProperties, Type } from 'typebox'
import type { PageRequest, PageResult } from '#db/query/page.ts'
import { toWholeNumber } from '#http/codec/wire-text.ts'
import { nullable, type ValueOf, oneOf as wordOf } from '#http/declare/schema.ts'
import { createMessage } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'

/** Entries of a page where none are asked for. */
const defaultLimit = 20
/** The most entries of a page. */
const maximumLimit = 100
/** The deepest page that can be asked for by number; a cursor goes on from there. */
const maximumPage = 1_000_000_000

/** What a list is asked for: a page by number, or the page after a cursor. */
export interface ListRequest extends PageRequest {
  /** True when the client pages by cursor. */
  readonly byCursor: boolean
}
export type { PageResult }

type Query = Readonly<Record<string, string>>

/** What the values of a sort are, so that a cursor can be held to them. */
export type SortKind = 'text' | 'integer' | 'number'

/** The sorts of a list, and what their values are; the first is the default. */
export type Sorts = ReadonlyMap<string, SortKind>

/** The query parameters that every list understands. */
export const pagingParameters = ['page', 'limit', 'sort', 'order', 'cursor'] as const

/** What those parameters may be, for a list with these sorts. */
export const describePaging = (sorts: readonly string[]): TProperties => ({
  page: Type.Integer({
    component: 'Page',
    minimum: 1,
    maximum: maximumPage,
    default: 1,
    description: 'The page asked for; a page past the end is empty.',
  }),
  limit: Type.Integer({
    component: 'Limit',
    minimum: 1,
    maximum: maximumLimit,
    default: defaultLimit,
    description: 'Entries of a page.',
  }),
  sort: wordOf(sorts, {
    description: 'What to sort by; ties are broken by id.',
    default: sorts[0],
  }),
  order: wordOf(['asc', 'desc'], {
    component: 'Order',
    description: 'Which end comes first.',
    default: 'asc',
  }),
  cursor: Type.String({
    component: 'Cursor',
    description: 'The next_cursor of the page before, in place of page; as fast at any depth.',
  }),
})

/** Reads page, limit, sort, order and cursor; what is wrong with them is added to `issues`. */
export function readListRequest(query: Query, sorts: Sorts, issues: FieldIssue[]): ListRequest {
  const limit = wholeNumber(query, 'limit', defaultLimit, maximumLimit, issues)
  const page = wholeNumber(query, 'page', 1, maximumPage, issues)
  const sort = oneOf(query, 'sort', [...sorts.keys()], issues)
  const order = oneOf(query, 'order', ['asc', 'desc'], issues) as 'asc' | 'desc'
  const text = query['cursor']
  if (text === undefined) return { page, limit, sort, order, byCursor: false }
  if (query['page'] !== undefined) {
    issues.push({ field: 'cursor', message: createMessage('query.cursor_and_page') })
  }
  const cursor = decodeCursor(text)
  const fits =
    cursor?.sort === sort && cursor.order === order && isOfKind(cursor.value, sorts.get(sort))
  if (!cursor || !fits) {
    issues.push({ field: 'cursor', message: createMessage('query.cursor') })
    return { page, limit, sort, order, byCursor: true }
  }
  const { value, id } = cursor
  return { page: cursor.page, limit, sort, order, byCursor: true, cursor: { value, id } }
}

function wholeNumber(
  query: Query,
  name: string,
  fallback: number,
  maximum: number,
  issues: FieldIssue[],
): number {
  const text = query[name]
  if (text === undefined) return fallback
  const value = toWholeNumber(text)
  if (value === undefined) issues.push({ field: name, message: createMessage('field.integer') })
  else if (value < 1)
    issues.push({ field: name, message: createMessage('field.minimum', { limit: 1 }) })
  else if (value > maximum) {
    issues.push({ field: name, message: createMessage('field.maximum', { limit: maximum }) })
  } else return value
  return fallback
}

function oneOf(query: Query, name: string, words: readonly string[], issues: FieldIssue[]): string {
  const [fallback = ''] = words
  const word = query[name]
  if (word === undefined) return fallback
  if (words.includes(word)) return word
  issues.push({ field: name, message: createMessage('field.enum', { values: words.join(', ') }) })
  return fallback
}

interface Cursor {
  readonly sort: string
  readonly order: string
  readonly page: number
  readonly value: string | number | null
  readonly id: number
}

/** Names the place after a page; only meaningful to the list, sort and order it came from. */
const encodeCursor = ({ sort, order, page, value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, order, page, value, id])).toString('base64url')

function decodeCursor(text: string): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 5) return undefined
    const [sort, order, page, value, id] = parts as unknown[]
    const sane =
      typeof sort === 'string' &&
      typeof order === 'string' &&
      isCount(page) &&
      isCount(id) &&
      (value === null || typeof value === 'string' || Number.isFinite(value))
    return sane ? { sort, order, page, value: value as Cursor['value'], id } : undefined
  } catch {
    return undefined
  }
}

function isOfKind(value: Cursor['value'], kind: SortKind | undefined): boolean {
  if (value === null) return true
  if (kind === 'text') {
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
  }
  return kind === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number'
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1

/** The `pagination` of the envelope. */
export const Pagination = Type.Object(
  {
    current_page: Type.Integer({ minimum: 1, description: 'The page told.', examples: [1] }),
    total_pages: Type.Integer({ description: 'How many pages there are.', examples: [3] }),
    total_items: Type.Integer({ description: 'How many entries all pages have.', examples: [42] }),
    limit: Type.Integer({ description: 'How many entries a page has.', examples: [20] }),
    next_cursor: nullable(
      Type.String({
        description: 'Leads to the page after this one; null on the last.',
        examples: ['WyJpZCIsImFzYyIsMiwyMCwyMF0'],
      }),
    ),
  },
  { description: 'Where a page stands among all.' },
)

/** The `pagination` of the envelope, and the Link header that leads through the pages. */
export interface Pages {
  readonly pagination: Readonly<ValueOf<typeof Pagination>>
  /** RFC 8288; undefined where no relation applies. */
  readonly link: string
}

/** Tells where a page stands among all; `path` and `query` are those of the request. */
export function paginate(
  request: ListRequest,
  { totalItems, next }: PageResult<unknown>,
  path: string,
  query: Query,
): Pages {
  const { page, limit, sort, order } = request
  const totalPages = Math.ceil(totalItems / limit)
  const nextCursor = next ? encodeCursor({ sort, order, page: page + 1, ...next }) : null
  const to = (rel: string, change: Readonly<Record<string, string | undefined>>): string => {
    const params = Object.entries({ ...query, ...change }).filter(
      ([, value]) => value !== undefined,
    )
    return `<${path}?${new URLSearchParams(params as [string, string][])}>; rel="${rel}"`
  }
  const toPage = (rel: string, number: number) =>
    to(rel, { page: String(number), cursor: undefined })
  const links = [toPage('first', 1)]
  if (!request.byCursor && page > 1) links.push(toPage('prev', Math.min(page - 1, totalPages || 1)))
  if (request.byCursor && nextCursor !== null) {
    links.push(to('next', { cursor: nextCursor, page: undefined }))
  }
  if (!request.byCursor && page < totalPages) links.push(toPage('next', page + 1))
  links.push(toPage('last', Math.max(totalPages, 1)))
  return {
    pagination: {
      current_page: page,
      total_pages: totalPages,
      total_items: totalItems,
      limit,
      next_cursor: nextCursor,
    },
    link: links.join(', '),
  }
}

/** Refuses a query with 400/4003 when anything in it is wrong. */
export function requireNoIssues(issues: readonly FieldIssue[]): void {
  if (issues.length > 0) throw fieldProblem(issues, '4003')
}
