import { test } from 'node:test'
import { runSilentProvider } from './scenarios/silent-provider.ts'

test('a payment provider that hangs holds up its payments, and nothing and nobody else', async (t) => {
  t.diagnostic(JSON.stringify(await runSilentProvider('sqlite', 12, 6000)))
})
