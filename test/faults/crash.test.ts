import { describe, test } from 'node:test'
import { skipReason } from '#test/support/services/databases.ts'
import { runCrashes } from './scenarios/crashes.ts'

const crashCount = 4

describe('a server killed repeatedly under load', { concurrency: true }, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const name = `on ${kind} keeps every acknowledged write and charges each order once`
    test(name, { skip: skipReason(kind) }, (t) =>
      runCrashes(kind, crashCount, (line) => t.diagnostic(line)),
    )
  }
})
