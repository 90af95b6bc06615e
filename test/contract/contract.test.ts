import { eachDatabase } from '#test/support/app.ts'
import { testContract } from './contract.ts'

eachDatabase(testContract, ['sqlite'])
