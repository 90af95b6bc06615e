import { test } from 'node:test'
import { sufferDiskFaults, whyNoFaultyDisk } from './scenarios/disk-failure.ts'

test('a disk that is full, or cannot sync, is answered for with 503, and nothing is acknowledged', {
  skip: whyNoFaultyDisk(),
}, async (t) => {
  for (const each of await sufferDiskFaults(['full', 'sync'], 500)) {
    t.diagnostic(JSON.stringify(each))
  }
})
