import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStore } from '#store/database.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { inheritedEnvironment } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function seed(url: string, ...args: string[]): Promise<CommandResult> {
  const entry = fileURLToPath(new URL('./seed.ts', import.meta.url))
  const env = { ...inheritedEnvironment, DATABASE_URL: url }
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`npm run seed on ${kind}`, { skip: skipReason(kind) }, () => {
    test('creates and fills the tables and prints the rate; a second run adds rows', async (t) => {
      const { url, remove } = await createEmptyDatabase(kind)
      t.after(remove)
      const all = ['--products', '50', '--users', '10', '--orders', '20']
      const first = await seed(url, ...all)
      assert.deepEqual([first.code, first.stderr], [0, ''])
      assert.match(
        first.stdout,
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

const mistakes: readonly (readonly [args: readonly string[], code: number, line: RegExp])[] = [
  [[], 2, /^usage: npm run seed -- /],
  [['--carts', '1'], 2, /^Unknown option '--carts'; usage: /],
  [
    ['--users', '-3'],
    2,
    /^Option '--users' requires a value that does not begin with '-'; usage: /,
  ],
  [['--users'], 2, /^Option '--users' requires a value that does not begin with '-'; usage: /],
  [['--users=-3'], 2, /^--users must be a whole number from 1 to \d+, not -3$/],
  [['--products', 'many'], 2, /^--products must be a whole number from 1 to \d+, not many$/],
  [['--orders', '5'], 1, /^--orders needs generated products: add --products NUMBER$/],
  [['--orders', '5', '--products', '5'], 1, /^--orders needs generated users: add --users NUMBER$/],
]

for (const [args, expectedCode, line] of mistakes) {
  test(`npm run seed -- ${args.join(' ')} is rejected with one line`, async () => {
    const { code, stdout, stderr } = await seed('sqlite::memory:', ...args)
    assert.deepEqual([code, stdout], [expectedCode, ''])
    const [first = '', ...others] = stderr.trimEnd().split('\n')
    assert.match(first, line)
    assert.deepEqual(others, [])
  })
}
