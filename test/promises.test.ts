import { after, before } from 'node:test'
import { eachDatabase } from './app.ts'
import { promiseAccess } from './promises-access.ts'
import { promiseBodies } from './promises-bodies.ts'
import { promiseConditions } from './promises-conditions.ts'
import { promiseKeys } from './promises-keys.ts'
import { promiseLinks } from './promises-links.ts'
import { promiseLists } from './promises-lists.ts'
import { promiseMethods } from './promises-methods.ts'
import { promiseQueries } from './promises-queries.ts'
import { promiseRelics } from './promises-relics.ts'
import { promiseRepeats } from './promises-repeats.ts'
import { startWatched, type Watched } from './promises-watch.ts'
import { promiseWrites } from './promises-writes.ts'

// What every operation promises, whatever it does: each promise is checked for every route.
eachDatabase((kind) => {
  let watched: Watched
  before(async () => {
    watched = await startWatched(kind)
  })
  after(() => watched.shop.dispose())

  const watchedOf = () => watched
  promiseAccess(watchedOf)
  promiseMethods(watchedOf)
  promiseBodies(watchedOf)
  promiseQueries(watchedOf)
  promiseLists(watchedOf)
  promiseLinks(watchedOf)
  // From here on things change, and some are removed.
  promiseKeys(watchedOf)
  promiseConditions(watchedOf)
  promiseRepeats(watchedOf)
  promiseWrites(watchedOf)
  promiseRelics(watchedOf)
})
