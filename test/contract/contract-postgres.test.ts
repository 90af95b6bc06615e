import { eachDatabase } from '#test/support/app.ts'
import { testContract } from './contract.ts'

// A file of its own, which runs beside the one for SQLite.
eachDatabase(testContract, ['postgres'])
