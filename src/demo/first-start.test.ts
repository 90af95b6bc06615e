import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { start } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { DEMO_PARENTS, DEMO_PRODUCTS } from './data.ts'

/** The number of products with variants, and of these. */
const demoParents = DEMO_PARENTS.reduce((sum, { variants }) => sum + 1 + variants.length, 0)

const SECRET_KEY = 'a secret key that only tests sign with'

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`the first start on ${kind}`, { skip: skipReason(kind) }, () => {
    test('of two processes at once makes one demo shop', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'cartwright-demo-'))
      const { url, remove } = await createEmptyDatabase(kind)
      t.after(async () => {
        await remove()
        await rm(folder, { recursive: true })
      })
      const env = { DATABASE_URL: url, DEMO_DATA: 'on', SECRET_KEY, ADMIN_PASSWORD: 'well known' }
      const servers = [start(folder, env), start(folder, env)]
      await Promise.all(servers.map((server) => server.url))
      await Promise.all(servers.map((server) => server.stop()))
      const store = await openStore(url)
      try {
        const products = await store.db.selectFrom('products').select('id').execute()
        assert.equal(products.length, DEMO_PRODUCTS.length + demoParents)
        await reconcile(store.db)
      } finally {
        await store.close()
      }
    })
  })
}
