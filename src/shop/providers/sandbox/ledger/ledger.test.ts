import '#test/support/run/own-process.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { plannedOutcomeOf } from '#shop/providers/sandbox/tokens.ts'
import { makeCharge } from './charges.ts'
import { openLedger } from './ledger.ts'

function entry(key: string, sequence: number, callbackDue = true) {
  const charge = { key, status: 'pending', reference: 'ch_1', amount_minor: 1, currency: 'USD' }
  return {
    charge: { ...charge, status: 'pending' as const, sequence },
    plan: plannedOutcomeOf(key, 'tok_later'),
    callbackUrl: 'http://127.0.0.1:1/',
    callbackDue,
  }
}

function temporaryFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'charges')
}

test('the last entry of each key and what is due survive the process', (context) => {
  const file = temporaryFile(context)
  const before = openLedger(file)
  before.save(entry('a', 1))
  before.save(entry('b', 1))
  before.save(entry('a', 2, false))
  // Not closed, as by a process that was killed.
  const after = openLedger(file)
  assert.deepEqual(after.entries().toArray(), [entry('a', 2, false), entry('b', 1)])
  assert.deepEqual(after.due(), ['b'])
  assert.deepEqual(after.find('b'), entry('b', 1))
  assert.equal(after.find('c'), undefined)
  assert.equal(statSync(file).mode & 0o077, 0, 'nobody else may read it')
  before.close()
  after.close()
})

test('an entry that cannot be stored is an error and is not stored', (context) => {
  const file = temporaryFile(context)
  const ledger = openLedger(file)
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  assert.throws(() => ledger.save(entry('a', 1)), { message: /locked/ })
  assert.equal(ledger.find('a'), undefined)
  other.close()
  ledger.close()
})

test('memory does not grow with the file', (context) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const ledger = openLedger(temporaryFile(context))
  const keep = (first: number, count: number): void => {
    for (let at = first; at < first + count; at += 1) ledger.save(entry(`order-${at}`, 1, false))
  }
  keep(0, 2000)
  collect()
  const before = process.memoryUsage().heapUsed
  keep(2000, 10_000)
  collect()
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(grown < 1_000_000, `${grown} bytes for ten thousand`)
  assert.equal(ledger.find('order-7')?.charge.key, 'order-7')
  ledger.close()
})

test('no token is stored', (context) => {
  const file = temporaryFile(context)
  const ledger = openLedger(file)
  const chargeRequest = {
    token: 'tok_later',
    amountMinor: 1,
    currency: 'USD',
    callbackUrl: 'http://a/',
  }
  makeCharge(ledger, 'a', chargeRequest)
  makeCharge(ledger, 'b', { ...chargeRequest, token: 'tok_of_a_card' })
  ledger.close()
  const left = readdirSync(join(file, '..')).map((name) =>
    readFileSync(join(file, '..', name), 'latin1'),
  )
  assert.doesNotMatch(left.join(), /tok_/)
})
