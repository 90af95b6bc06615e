import { type ChangeFeed, Followers } from '#db/changes.ts'
import type { SqliteDriver } from './dialect.ts'

const everyMs = 250

/**
 * The changes of an SQLite database. One process serves it; what another does to the file (filling
 * it with data, say) is noticed four times a second, without its names.
 */
export function openSqliteFeed(driver: Pick<SqliteDriver, 'foreignVersion'>): ChangeFeed {
  const followers = new Followers()
  let watching: NodeJS.Timeout | undefined
  const watch = (): NodeJS.Timeout => {
    let known = driver.foreignVersion
    return setInterval(() => {
      const found = driver.foreignVersion
      if (found !== known) followers.tell('anything')
      known = found
    }, everyMs).unref()
  }
  return {
    follow: (listener) => {
      followers.add(listener)
      watching ??= watch()
    },
    isHeard: () => true,
    publish: (change) => followers.tell(change),
    close: async () => clearInterval(watching),
  }
}
