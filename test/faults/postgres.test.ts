import { after, before, describe, test } from 'node:test'
import {
  type OwnPostgres,
  ownPostgresSkipReason,
  startOwnPostgres,
} from '#test/support/services/own-postgres.ts'
import { type Outage, runOutages } from './scenarios/postgres-outage.ts'

describe('an outage of PostgreSQL', { skip: ownPostgresSkipReason() }, () => {
  let postgres: OwnPostgres
  before(async () => {
    postgres = await startOwnPostgres()
  })
  after(() => postgres.dispose())

  test('answers 503 with Retry-After, and every order is placed once', async (t) => {
    const outages: readonly Outage[] = ['connections killed', 'restarted', 'crashed']
    const figures = await runOutages(
      postgres,
      outages.map((outage) => ({ outage, awayMs: 1500 })),
    )
    for (const each of figures) t.diagnostic(JSON.stringify(each))
  })
})
