import { test } from 'node:test'
import { runSilentProvider } from './scenarios/silent-provider.ts'

test('a hanging payment provider delays its own payments only', async (t) => {
  t.diagnostic(JSON.stringify(await runSilentProvider('sqlite', 12, 6000)))
})
