import { after, before, describe } from 'node:test'
import { promiseAccess } from './access.ts'
import { promiseConditions } from './conditions.ts'
import { promiseRepeats } from './idempotency.ts'
import { promiseMethods } from './methods.ts'
import { startWatched, type Watched } from './setup/watched-app.ts'
import { inVersion2, inXml } from './variants.ts'
import { promiseWrites } from './writes.ts'

// The promises of every operation once more, where version or form could make a difference.
describe('in version 2', () => {
  const watchedOf = watchedAs(inVersion2)
  promiseAccess(watchedOf)
  promiseMethods(watchedOf)
  promiseConditions(watchedOf)
  promiseRepeats(watchedOf)
  promiseWrites(watchedOf)
})

describe('in XML', () => {
  const watchedOf = watchedAs(inXml)
  promiseAccess(watchedOf)
  promiseMethods(watchedOf)
  promiseConditions(watchedOf)
})

function watchedAs(inForm: (watched: Watched) => Watched): () => Watched {
  let watched: Watched
  before(async () => {
    watched = inForm(await startWatched('memory'))
  })
  after(() => watched.shop.dispose())
  return () => watched
}
