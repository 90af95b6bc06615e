import { after, before } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { promiseAccess } from './access.ts'
import { promiseKeys } from './api-keys.ts'
import { promiseBodies } from './bodies.ts'
import { promiseConditions } from './conditions.ts'
import { promiseRepeats } from './idempotency.ts'
import { promiseLinks } from './links.ts'
import { promiseLists } from './lists.ts'
import { promiseMethods } from './methods.ts'
import { promiseQueries } from './queries.ts'
import { promiseRelics } from './removed-fields.ts'
import { startWatched, type Watched } from './setup/watched-app.ts'
import { promiseWrites } from './writes.ts'

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
