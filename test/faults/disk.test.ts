import { test } from 'node:test'
import { faultyDiskSkipReason, runDiskFaults } from './scenarios/disk-failure.ts'

test('a disk that is full, or cannot sync, is answered for with 503, and nothing is acknowledged', {
  skip: faultyDiskSkipReason(),
}, async (t) => {
  for (const each of await runDiskFaults(['full', 'sync'], 500)) {
    t.diagnostic(JSON.stringify(each))
  }
})
