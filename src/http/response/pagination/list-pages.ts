import { type TProperties, Type } from 'typebox'
import { parseInteger } from '#http/codec/wire-text.ts'
import type { ListRequest } from '#http/declare/pages.ts'
import { createMessage } from '#i18n/message.ts'
import { nullable, stringEnum, type ValueOf } from '#schema/words.ts'
import type { PageResult } from '#store/query/page.ts'
import type { TimeLimits } from '#store/query/time-limits.ts'
import { maxCounted } from '#store/query/total.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { isStorableText } from '#values/text.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { pageLink } from './link-header.ts'

/** The default number of entries per page. */
const defaultLimit = 20
/** The maximum number of entries per page. */
const maxLimit = 100
/** The rows up to which pages have numbers; a cursor can page further. */
const maxNumberedRows = 100_000

type Query = Readonly<Record<string, string>>

/** The type of the values of a sort field, to validate cursors. */
export type SortFieldType = 'text' | 'integer' | 'number'

/** The sort fields of a list and their types; the first one is the default. */
export type SortFields = ReadonlyMap<string, SortFieldType>

/** The query parameters of every list. */
export const pagingParameters = ['page', 'limit', 'sort', 'order', 'cursor'] as const

/** The filter of lists that are searched by words, and the order that they then have unless another is named. */
export const searchParameter = 'q'
const searchSort = 'relevance'

/** Returns the schemas of the paging parameters of a list with these sort fields. */
export const pagingSchemas = (sortFields: readonly string[], isSearched: boolean): TProperties => ({
  page: Type.Integer({
    component: 'Page',
    minimum: 1,
    maximum: maxNumberedRows,
    default: 1,
    description: `The number of the page; a page after the last one is empty. \`page\` × \`limit\` is at most ${maxNumberedRows}; \`cursor\` leads further.`,
  }),
  limit: Type.Integer({
    component: 'Limit',
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: 'The number of entries per page.',
  }),
  sort: stringEnum(sortFields, {
    // Most lists have no further sorts.
    ...(String(sortFields) === 'id,created_at,updated_at' ? { component: 'Sort' } : {}),
    description:
      isSearched && sortFields.includes(searchSort)
        ? `Sort field; ties by id. With ${searchParameter}, ${searchSort} is the default: the closest first.`
        : 'Sort field; ties by id.',
    default: sortFields[0],
  }),
  order: stringEnum(['asc', 'desc'], {
    component: 'Order',
    description: 'Ascending or descending.',
    default: 'asc',
  }),
  cursor: Type.String({
    component: 'Cursor',
    minLength: 1,
    pattern: '^[\\w-]+$',
    description: 'The next_cursor of the previous page; replaces page and is as fast for any page.',
  }),
})

/**
 * Parses page, limit, sort, order and cursor, and adds the parsed `times`. Adds a field issue for each
 * error to `issues`.
 */
export function readListRequest(
  query: Query,
  sortFields: SortFields,
  times: TimeLimits,
  issues: FieldIssue[],
): ListRequest {
  const names = [...sortFields.keys()]
  const isByRelevance = query[searchParameter] !== undefined && names.includes(searchSort)
  const limit = parseCount(query, 'limit', defaultLimit, maxLimit, issues)
  const page = parsePage(query, limit, issues)
  const fallback = isByRelevance ? searchSort : names[0]
  const sort = parseEnum(query, 'sort', names, issues, fallback)
  const order = parseEnum(query, 'order', ['asc', 'desc'], issues) as 'asc' | 'desc'
  const text = query['cursor']
  if (text === undefined) return { page, limit, sort, order, times, byCursor: false }
  if (query['page'] !== undefined) {
    issues.push({ field: 'cursor', message: createMessage('query.cursor_and_page') })
  }
  const cursor = decodeListCursor(text)
  const isValid =
    cursor?.sort === sort && cursor.order === order && isOfType(cursor.value, sortFields.get(sort))
  if (!cursor || !isValid) {
    issues.push({ field: 'cursor', message: createMessage('query.cursor') })
    return { page, limit, sort, order, times, byCursor: true }
  }
  const { value, id } = cursor
  return { page: cursor.page, limit, sort, order, times, byCursor: true, cursor: { value, id } }
}

/** Parses an integer from 1 to `maximum`; `fallback` if it is absent or invalid. */
export function parseCount(
  query: Query,
  name: string,
  fallback: number,
  maximum: number,
  issues: FieldIssue[],
): number {
  const text = query[name]
  if (text === undefined) return fallback
  const value = parseInteger(text)
  if (value === undefined) issues.push({ field: name, message: createMessage('field.integer') })
  else if (value < 1)
    issues.push({ field: name, message: createMessage('field.minimum', { limit: 1 }) })
  else if (value > maximum) {
    issues.push({ field: name, message: createMessage('field.maximum', { limit: maximum }) })
  } else return value
  return fallback
}

/** Parses the number of a page. Before a deep page, all rows are passed, so that only a cursor leads to it. */
function parsePage(query: Query, limit: number, issues: FieldIssue[]): number {
  const page = parseCount(query, 'page', 1, Number.MAX_SAFE_INTEGER, issues)
  if (page * limit <= maxNumberedRows) return page
  const values = { rows: maxNumberedRows }
  issues.push({ field: 'page', message: createMessage('query.deep_page', values) })
  return 1
}

/** Parses one of `values`; `fallback` if it is absent or invalid. */
function parseEnum(
  query: Query,
  name: string,
  values: readonly string[],
  issues: FieldIssue[],
  fallback = values[0] ?? '',
): string {
  const value = query[name]
  if (value === undefined) return fallback
  if (values.includes(value)) return value
  issues.push({ field: name, message: createMessage('field.enum', { values: values.join(', ') }) })
  return fallback
}

interface Cursor {
  readonly sort: string
  readonly order: string
  readonly page: number
  readonly value: string | number | null
  readonly id: number
}

/** Encodes a cursor, which is valid only for the same list, sort and order. */
const encodeListCursor = ({ sort, order, page, value, id }: Cursor): string =>
  encodeCursor([sort, order, page, value, id])

function decodeListCursor(text: string): Cursor | undefined {
  const [sort, order, page, value, id] = decodeCursor(text, 5) ?? []
  const isValid =
    typeof sort === 'string' &&
    typeof order === 'string' &&
    isCount(page) &&
    isCount(id) &&
    (value === null || typeof value === 'string' || Number.isFinite(value))
  return isValid ? { sort, order, page, value: value as Cursor['value'], id } : undefined
}

function isOfType(value: Cursor['value'], type: SortFieldType | undefined): boolean {
  if (value === null) return true
  if (type === 'text') return typeof value === 'string' && isStorableText(value)
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number'
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1

/** The schema of `pagination` in the envelope of a page. */
export const Pagination = Type.Object(
  {
    current_page: Type.Integer({
      minimum: 1,
      description: 'The number of this page.',
      examples: [1],
    }),
    total_pages: Type.Integer({ description: 'The number of pages.', examples: [3] }),
    total_items: Type.Integer({
      description: 'The number of entries on all pages; at least so many with total_items_capped.',
      examples: [42],
    }),
    total_items_capped: Type.Optional(
      Type.Boolean({
        description: `True where the list has more than ${maxCounted} entries and they were not counted; else absent.`,
        examples: [true],
      }),
    ),
    limit: Type.Integer({ description: 'The maximum number of entries per page.', examples: [20] }),
    next_cursor: nullable(
      Type.String({
        description: 'The cursor of the next page; null on the last page.',
        examples: ['WyJpZCIsImFzYyIsMiwyMCwyMF0'],
      }),
    ),
  },
  { description: 'The number of this page, of all pages and of all entries.' },
)

interface Pages {
  readonly pagination: Readonly<ValueOf<typeof Pagination>>
  readonly links: readonly string[]
}

/** Returns `pagination` and the links of `Link` of a page; `path` and `query` are those of the request. */
export function describePage(
  request: ListRequest,
  { totalItems, isCapped, next }: PageResult<unknown>,
  path: string,
  query: Readonly<Record<string, string | readonly string[]>>,
): Pages {
  const { page, limit, sort, order } = request
  const totalPages = Math.ceil(totalItems / limit)
  const nextCursor = next ? encodeListCursor({ sort, order, page: page + 1, ...next }) : null
  const isNumbered = (number: number) => number * limit <= maxNumberedRows
  const linkTo = (rel: string, number: number) =>
    pageLink(rel, path, { ...query, page: String(number), cursor: undefined })
  const links = [linkTo('first', 1)]
  if (!request.byCursor && page > 1) {
    const last = isCapped ? page : totalPages || 1
    links.push(linkTo('prev', Math.min(page - 1, last)))
  }
  if (nextCursor !== null) {
    const byCursor = { ...query, cursor: nextCursor, page: undefined }
    const isByNumber = !request.byCursor && isNumbered(page + 1)
    links.push(isByNumber ? linkTo('next', page + 1) : pageLink('next', path, byCursor))
  }
  const last = Math.max(totalPages, 1)
  if (!isCapped && isNumbered(last)) links.push(linkTo('last', last))
  return {
    pagination: {
      current_page: page,
      total_pages: totalPages,
      total_items: totalItems,
      ...(isCapped && { total_items_capped: true }),
      limit,
      next_cursor: nextCursor,
    },
    links,
  }
}

/** Throws 400/4003 if there are issues. */
export function requireNoIssues(issues: readonly FieldIssue[]): void {
  if (issues.length > 0) throw fieldProblem(issues, '4003')
}
