import { after, before, describe } from 'node:test'
import { testAccess } from './access.ts'
import { testConditions } from './conditions.ts'
import { testRepeats } from './idempotency.ts'
import { testMethods } from './methods.ts'
import { startWatched, type Watched } from './setup/watched-app.ts'
import { inVersion2, inXml } from './variants.ts'
import { testWrites } from './writes.ts'

// The promises of every operation once more, where version or form could make a difference.
describe('in version 2', () => {
  const watchedOf = watchedAs(inVersion2)
  testAccess(watchedOf)
  testMethods(watchedOf)
  testConditions(watchedOf)
  testRepeats(watchedOf)
  testWrites(watchedOf)
})

describe('in XML', () => {
  const watchedOf = watchedAs(inXml)
  testAccess(watchedOf)
  testMethods(watchedOf)
  testConditions(watchedOf)
})

function watchedAs(inForm: (watched: Watched) => Watched): () => Watched {
  let watched: Watched
  before(async () => {
    watched = inForm(await startWatched('memory'))
  })
  after(() => watched.shop.dispose())
  return () => watched
}
