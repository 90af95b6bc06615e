import type { FeedPage } from '#http/declare/pages.ts'
import { apiKeyField } from '#http/exchange/api-key-location.ts'
import type { ValidatedExchange } from '#http/exchange/exchange.ts'
import { pathOf } from '#http/message/url-path.ts'
import type { ValueOf } from '#schema/words.ts'
import { encodeFeedCursor, type FeedPagination } from './feed-pages.ts'
import { pageLink } from './link-header.ts'

/** Returns `pagination` and the links of `Link` of a part of a feed. */
export function paginateFeed(
  { request, input, prefix }: Pick<ValidatedExchange, 'request' | 'input' | 'prefix'>,
  { next }: FeedPage<unknown>,
): { readonly pagination: ValueOf<typeof FeedPagination>; readonly links: readonly string[] } {
  const next_cursor = encodeFeedCursor(next, input.filters as object)
  // Links must not reveal an API key.
  const { [apiKeyField]: _, ...query } = request.query as Record<string, string | string[]>
  const path = `${prefix}${pathOf(request.url)}`
  const link = pageLink('next', path, { ...query, cursor: next_cursor })
  return { pagination: { limit: input.feed.limit, next_cursor }, links: [link] }
}
