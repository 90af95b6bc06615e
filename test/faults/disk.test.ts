import { test } from 'node:test'
import { faultyDiskSkipReason, runDiskFaults } from './scenarios/disk-failure.ts'

test('writes answer 503 while the disk is full or cannot sync, and nothing is acknowledged', {
  skip: faultyDiskSkipReason(),
}, async (t) => {
  for (const each of await runDiskFaults(['full', 'sync'], 500)) {
    t.diagnostic(JSON.stringify(each))
  }
})
