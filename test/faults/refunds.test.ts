import { describe, test } from 'node:test'
import { skipReason } from '#test/support/services/databases.ts'
import { runRefundKills } from './scenarios/refund-kills.ts'

const runsPerPoint = 1

describe('a server killed at every point of refunds', { concurrency: true }, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    test(`on ${kind} returns the money of each once`, { skip: skipReason(kind) }, (t) =>
      runRefundKills(kind, runsPerPoint, (line) => t.diagnostic(line)),
    )
  }
})
