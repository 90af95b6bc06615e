import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import type { Store } from '#store/database.ts'
import { minuteMs } from '#values/instant.ts'
import { tellRarely } from '#values/tell-rarely.ts'

/**
 * Purges the configured cache of what this and other processes change; the function it returns stops. Nothing is
 * loaded without a cache.
 */
export async function startPurging(
  { cacheTags: style, cachePurgeUrl: url, cachePurgeToken: token }: Config,
  { changes }: Pick<Store, 'changes'>,
  log: Pick<Log, 'warn'>,
): Promise<(() => void) | undefined> {
  if (url === undefined || style === 'off') return undefined
  const { CachePurger } = await import('#http/cache/purger.ts')
  const countLeftOut = tellRarely(minuteMs)
  const onFailure = (error: unknown) => {
    if (countLeftOut() === undefined) return
    log.warn(
      { err: error },
      'CACHE_PURGE_URL does not take purges: the cache may have old responses',
    )
  }
  const purger = new CachePurger({ url, style, token, onFailure })
  changes.subscribe((change) => purger.purge(change))
  return () => purger.stop()
}
