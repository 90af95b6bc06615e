import { httpUrl, oneOf, optional, setting, textOfLength } from './setting.ts'

/** The settings of a shared cache in front of the server. */
export const cacheSettings = {
  cacheTags: setting(
    'CACHE_TAGS',
    {
      defaultText: 'off',
      description:
        'The header field by which a shared cache in front of the server purges public responses: Cache-Tag (Cloudflare) or Surrogate-Key (Fastly, Varnish).',
    },
    oneOf('off', 'cache-tag', 'surrogate-key'),
  ),
  cachePurgeUrl: optional(
    'CACHE_PURGE_URL',
    {
      description:
        'Where the keys of what has changed are sent by POST: in Surrogate-Key, or with CACHE_TAGS=cache-tag as JSON, {"tags": […]}. Default: nothing is purged.',
    },
    httpUrl,
  ),
  cachePurgeToken: optional(
    'CACHE_PURGE_TOKEN',
    {
      description:
        'The credential for CACHE_PURGE_URL: sent in Fastly-Key, or with CACHE_TAGS=cache-tag as a bearer token. Default: none.',
      secret: true,
    },
    textOfLength(1, 1024),
  ),
}
