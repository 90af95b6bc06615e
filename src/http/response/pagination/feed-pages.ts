import { hash } from 'node:crypto'
import { type TProperties, Type } from 'typebox'
import type { FeedPosition, FeedRequest } from '#http/declare/pages.ts'
import { createMessage } from '#i18n/message.ts'
import type { FieldIssue } from '#values/problem.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { parseCount } from './list-pages.ts'

const defaultLimit = 100
const maxLimit = 1_000

type Query = Readonly<Record<string, string>>

/** The query parameters of every feed. */
export const feedParameters = ['limit', 'cursor'] as const

/** The schemas of the query parameters of every feed. */
export const feedSchemas: TProperties = {
  limit: Type.Integer({
    component: 'FeedLimit',
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: 'The number of entries per page.',
  }),
  cursor: Type.String({
    component: 'FeedCursor',
    description: 'The next_cursor of the page before, which had the same filters.',
  }),
}

/** Parses limit and cursor. Adds a field issue for each error to `issues`. */
export function readFeedRequest(query: Query, filters: object, issues: FieldIssue[]): FeedRequest {
  const limit = parseCount(query, 'limit', defaultLimit, maxLimit, issues)
  const { cursor } = query
  const after = cursor === undefined ? undefined : decodeFeedCursor(cursor, filters)
  if (cursor !== undefined && after === undefined) {
    issues.push({ field: 'cursor', message: createMessage('query.feed_cursor') })
  }
  return { limit, after }
}

/** A cursor is valid only with the filters of the page that it came with, in any order. */
const digestOf = (filters: object): string => {
  const entries = Object.entries(filters).map(([name, value]) =>
    Array.isArray(value) ? [name, value.toSorted()] : [name, value],
  )
  return hash('sha1', JSON.stringify(entries.sort()), 'base64url').slice(0, 8)
}

/** Encodes the position after which a page begins. */
export const encodeFeedCursor = ({ number, time }: FeedPosition, filters: object): string =>
  encodeCursor([number, digestOf(filters), ...(time === undefined ? [] : [time])])

function decodeFeedCursor(text: string, filters: object): FeedPosition | undefined {
  // A cursor of a release without times has two parts.
  const [number, digest, time] = decodeCursor(text, 3) ?? decodeCursor(text, 2) ?? []
  if (!isCount(number) || digest !== digestOf(filters)) return undefined
  if (time === undefined) return { number }
  return isCount(time) ? { number, time } : undefined
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** The schema of `pagination` in the envelope of a part of a feed. */
export const FeedPagination = Type.Object(
  {
    limit: Type.Integer({
      description: 'The maximum number of entries per page.',
      examples: [defaultLimit],
    }),
    next_cursor: Type.String({
      description:
        'The cursor of the entries after this page. At the end of the feed, request it again later.',
      examples: ['WzQyLCJsOWZHWTBVOSJd'],
    }),
  },
  { description: 'The position in the feed.' },
)
