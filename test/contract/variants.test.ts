import { after, before, describe } from 'node:test'
import { testAccess } from './access.ts'
import { testConditionalReads, testConditions } from './conditions.ts'
import { testIdempotency } from './idempotency.ts'
import { testMethods } from './methods.ts'
import { type ContractApp, startContractApp } from './setup/contract-app.ts'
import { inVersion2, inXml } from './variants.ts'
import { testWrites } from './writes.ts'

// The contract tests that depend on the API version or the media type: in version 2 of what differs from
// version 1, and in XML. What happens after a body is read and before one is written is the same in all.
describe('in version 2', () => {
  const getContract = contractIn(inVersion2)
  testAccess(getContract)
  testMethods(getContract)
  testConditions(getContract)
  testIdempotency(getContract)
  testWrites(getContract)
})

describe('in XML', () => {
  const getContract = contractIn(inXml)
  testAccess(getContract)
  testMethods(getContract)
  testConditionalReads(getContract)
})

function contractIn(variant: (contract: ContractApp) => ContractApp): () => ContractApp {
  let contract: ContractApp
  before(async () => {
    contract = variant(await startContractApp('memory'))
  })
  after(() => contract.shop.dispose())
  return () => contract
}
