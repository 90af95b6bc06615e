import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStore } from '#db/database.ts'
import { reconcile } from '#test/support/reconcile.ts'
import { emptyDatabase, skipReason } from '#test/support/services/databases.ts'

interface Ended {
  readonly code: number
  readonly said: string
  readonly complained: string
}

function seed(url: string, ...args: string[]): Promise<Ended> {
  const entry = fileURLToPath(new URL('./seed.ts', import.meta.url))
  const { PATH = '' } = process.env
  const env = { PATH, DATABASE_URL: url }
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, said, complained) => {
      resolve({ code: error ? Number(error.code) : 0, said, complained })
    })
  })
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`npm run seed on ${kind}`, { skip: skipReason(kind) }, () => {
    test('makes the tables, fills them and tells how fast; again, it adds', async (t) => {
      const { url, remove } = await emptyDatabase(kind)
      t.after(remove)
      const all = ['--products', '50', '--users', '10', '--orders', '20']
      const first = await seed(url, ...all)
      assert.deepEqual([first.code, first.complained], [0, ''])
      assert.match(
        first.said,
        /^products: 50 added, [\d,]+\/s\nusers: 10 added, .*\norders: 20 added, .*\n$/,
      )
      assert.equal((await seed(url, '--orders', '5')).code, 0)
      const store = await openStore(url)
      try {
        await reconcile(store.db)
        const orders = await store.db.selectFrom('orders').select('currency').execute()
        assert.deepEqual(
          orders.map(({ currency }) => currency),
          Array(25).fill('USD'),
        )
      } finally {
        await store.close()
      }
    })
  })
}

const mistakes: readonly (readonly [args: readonly string[], line: RegExp])[] = [
  [[], /^usage: npm run seed -- /],
  [['--carts', '1'], /^Unknown option '--carts'; usage: /],
  [['--products', 'many'], /^--products must be a whole number from 1 to \d+, not many$/],
  [['--orders', '5'], /^--orders needs generated products: add --products NUMBER$/],
  [['--orders', '5', '--products', '5'], /^--orders needs generated users: add --users NUMBER$/],
]

for (const [args, line] of mistakes) {
  test(`npm run seed -- ${args.join(' ')} is refused in one line`, async () => {
    const { code, said, complained } = await seed('sqlite::memory:', ...args)
    assert.deepEqual([code, said], [1, ''])
    const [first = '', ...others] = complained.trimEnd().split('\n')
    assert.match(first, line)
    assert.deepEqual(others, [])
  })
}
