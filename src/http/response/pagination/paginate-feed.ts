import type { ValueOf } from '#http/declare/schema.ts'
import type { ValidatedExchange } from '#http/pipeline/exchange.ts'
import { apiKeyField } from '#http/pipeline/guards/api-key-location.ts'
import { pathOf } from '#http/server/url-path.ts'
import { encodeFeedCursor, type FeedPage, type FeedPagination } from './feed-pages.ts'

/** Returns `pagination` and the links of `Link` of a part of a feed. */
export function paginateFeed(
  { request, input, prefix }: Pick<ValidatedExchange, 'request' | 'input' | 'prefix'>,
  { next }: FeedPage<unknown>,
): { readonly pagination: ValueOf<typeof FeedPagination>; readonly links: readonly string[] } {
  const next_cursor = encodeFeedCursor(next, input.filters as object)
  // Links must not reveal an API key.
  const { [apiKeyField]: _, ...query } = request.query as Record<string, string | string[]>
  const params = Object.entries({ ...query, cursor: next_cursor }).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each as string]),
  )
  const link = `<${prefix}${pathOf(request.url)}?${new URLSearchParams(params)}>; rel="next"`
  return { pagination: { limit: input.feed.limit, next_cursor }, links: [link] }
}
