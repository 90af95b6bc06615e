import { type ChangeFeed, Subscribers } from '#store/changes.ts'
import type { SqliteDriver } from './dialect.ts'

const pollIntervalMs = 250

/**
 * The changes of an SQLite database. Commits of other processes, such as a command that loads data,
 * are detected by polling and reported as `anything`.
 */
export function createSqliteFeed(driver: Pick<SqliteDriver, 'dataVersion'>): ChangeFeed {
  const subscribers = new Subscribers()
  let timer: NodeJS.Timeout | undefined
  const startPolling = (): NodeJS.Timeout => {
    let lastVersion = driver.dataVersion
    return setInterval(() => {
      const version = driver.dataVersion
      if (version !== lastVersion) subscribers.notify('anything')
      lastVersion = version
    }, pollIntervalMs).unref()
  }
  return {
    subscribe: (listener) => {
      subscribers.add(listener)
      timer ??= startPolling()
    },
    isConnected: () => true,
    publish: (change) => subscribers.notify(change),
    close: async () => clearInterval(timer),
  }
}
