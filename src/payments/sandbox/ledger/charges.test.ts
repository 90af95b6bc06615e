import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCharge, refundCharge, settleCharge, voidCharge } from './charges.ts'
import { openLedger } from './ledger.ts'

const terms = { token: 'tok_later', amountMinor: 1999, currency: 'USD', callbackUrl: 'http://a/' }

test('a charge voided while pending does not settle any more', () => {
  const ledger = openLedger(undefined)
  makeCharge(ledger, 'a', terms)
  const voided = voidCharge(ledger, 'a')
  settleCharge(ledger, 'a')
  assert.equal(voided.status, 'voided')
  assert.deepEqual(ledger.find('a')?.charge, voided)
  assert.equal(ledger.find('a')?.callbackDue, false)
})

test('each change of a charge has the next sequence, and no change has none', () => {
  const ledger = openLedger(undefined)
  assert.equal(makeCharge(ledger, 'a', terms)?.sequence, 1)
  settleCharge(ledger, 'a')
  settleCharge(ledger, 'a')
  assert.equal(ledger.find('a')?.charge.sequence, 2)
  assert.equal(refundCharge(ledger, 'a')?.sequence, 3)
  assert.equal(refundCharge(ledger, 'a')?.sequence, 3)
  assert.equal(voidCharge(ledger, 'a').sequence, 3)
})
