import { after, before } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { testAccess } from './access.ts'
import { testKeys } from './api-keys.ts'
import { testBodies } from './bodies.ts'
import { testConditions } from './conditions.ts'
import { testRepeats } from './idempotency.ts'
import { testLinks } from './links.ts'
import { testLists } from './lists.ts'
import { testMethods } from './methods.ts'
import { testQueries } from './queries.ts'
import { testRemovedFields } from './removed-fields.ts'
import { startWatched, type Watched } from './setup/watched-app.ts'
import { testWrites } from './writes.ts'

// What every operation promises, whatever it does: each promise is checked for every route.
eachDatabase((kind) => {
  let watched: Watched
  before(async () => {
    watched = await startWatched(kind)
  })
  after(() => watched.shop.dispose())

  const watchedOf = () => watched
  testAccess(watchedOf)
  testMethods(watchedOf)
  testBodies(watchedOf)
  testQueries(watchedOf)
  testLists(watchedOf)
  testLinks(watchedOf)
  // From here on things change, and some are removed.
  testKeys(watchedOf)
  testConditions(watchedOf)
  testRepeats(watchedOf)
  testWrites(watchedOf)
  testRemovedFields(watchedOf)
})
