import { type ChangeFeed, Subscribers } from '#db/changes.ts'
import type { SqliteDriver } from './dialect.ts'

const everyMs = 250

/**
 * The changes of an SQLite database. One process serves it; what another does to the file (filling
 * it with data, say) is noticed four times a second, without its names.
 */
export function openSqliteFeed(driver: Pick<SqliteDriver, 'dataVersion'>): ChangeFeed {
  const subscribers = new Subscribers()
  let watching: NodeJS.Timeout | undefined
  const watch = (): NodeJS.Timeout => {
    let known = driver.dataVersion
    return setInterval(() => {
      const found = driver.dataVersion
      if (found !== known) subscribers.tell('anything')
      known = found
    }, everyMs).unref()
  }
  return {
    subscribe: (listener) => {
      subscribers.add(listener)
      watching ??= watch()
    },
    isConnected: () => true,
    publish: (change) => subscribers.tell(change),
    close: async () => clearInterval(watching),
  }
}
