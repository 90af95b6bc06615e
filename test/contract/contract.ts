import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StoreKind } from '#test/support/services/databases.ts'
import { findOutdatedTexts } from '#test/support/shop/following.ts'
import { testAccess } from './access.ts'
import { testApiKeys } from './api-keys.ts'
import { testBodies } from './bodies.ts'
import { testConditions } from './conditions.ts'
import { testExports } from './exports.ts'
import { testIdempotency } from './idempotency.ts'
import { testLinks } from './links.ts'
import { testLists } from './lists.ts'
import { testMethods } from './methods.ts'
import { testQueries } from './queries.ts'
import { testRemovedFields } from './removed-fields.ts'
import { type ContractApp, startContractApp } from './setup/contract-app.ts'
import { testWrites } from './writes.ts'

/** Declares the tests of what every operation guarantees, each for every declared route. */
export function testContract(kind: StoreKind): void {
  let contract: ContractApp
  before(async () => {
    contract = await startContractApp(kind)
  })
  after(() => contract.shop.dispose())

  const getContract = () => contract
  testAccess(getContract)
  testMethods(getContract)
  testBodies(getContract)
  testQueries(getContract)
  testLists(getContract)
  testExports(getContract)
  testLinks(getContract)
  // The tests below change and remove rows, so they run after the ones that only read.
  testApiKeys(getContract)
  testConditions(getContract)
  testIdempotency(getContract)
  testWrites(getContract)
  testRemovedFields(getContract)
  test('columns that follow from texts do so after every request', async () =>
    assert.deepEqual(await findOutdatedTexts(contract.shop.db), []))
}
