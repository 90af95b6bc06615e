import { describe, test } from 'node:test'
import { skipReason } from '#test/support/services/databases.ts'
import { crashAgainAndAgain } from './scenarios/crashes.ts'

const crashCount = 20

describe('a server killed again and again under load', { concurrency: true }, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const name = `on ${kind} has kept every write it acknowledged, and charges nobody twice`
    test(name, { skip: skipReason(kind) }, (t) =>
      crashAgainAndAgain(kind, crashCount, (line) => t.diagnostic(line)),
    )
  }
})
