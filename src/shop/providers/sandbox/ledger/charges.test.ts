import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideCharge,
  makeCharge,
  refundCharge,
  refundPart,
  settleCharge,
  voidCharge,
} from './charges.ts'
import { openLedger } from './ledger.ts'

const chargeRequest = {
  token: 'tok_later',
  amountMinor: 1999,
  currency: 'USD',
  callbackUrl: 'http://a/',
}

test('a charge voided while pending does not settle any more', () => {
  const ledger = openLedger(undefined)
  makeCharge(ledger, 'a', chargeRequest)
  const voided = voidCharge(ledger, 'a')
  settleCharge(ledger, 'a')
  assert.equal(voided.charge.status, 'voided')
  assert.deepEqual(ledger.find('a'), voided)
  assert.equal(ledger.find('a')?.callbackDue, false)
})

test('each change of a charge has the next sequence, and no change has none', () => {
  const ledger = openLedger(undefined)
  assert.equal(makeCharge(ledger, 'a', chargeRequest)?.charge.sequence, 1)
  settleCharge(ledger, 'a')
  settleCharge(ledger, 'a')
  assert.equal(ledger.find('a')?.charge.sequence, 2)
  assert.equal(refundCharge(ledger, 'a')?.charge.sequence, 3)
  assert.equal(refundCharge(ledger, 'a')?.charge.sequence, 3)
  assert.equal(voidCharge(ledger, 'a').charge.sequence, 3)
})

test('parts are refunded once per key and never beyond the charge', () => {
  const ledger = openLedger(undefined)
  makeCharge(ledger, 'a', { ...chargeRequest, token: 'tok_visa' })
  const refund = (key: string, amount: number) => {
    const result = refundPart(ledger, 'a', key, amount)
    return typeof result === 'string' ? result : result?.charge.status
  }
  assert.equal(refund('one', 1000), 'succeeded')
  assert.equal(refund('one', 1000), 'succeeded')
  assert.equal(refund('one', 999), 'key_used_for_another_refund')
  assert.equal(refund('two', 1000), 'more_than_is_left')
  assert.equal(ledger.find('a')?.charge.refunds?.length, 1)
  assert.equal(refund('three', 999), 'refunded')
  assert.equal(refund('three', 999), 'refunded')
  assert.equal(refund('four', 1), 'more_than_is_left')
  assert.equal(refundPart(ledger, 'unseen', 'one', 1), undefined)
})

test('a charge waits for the buyer, who decides once', () => {
  const ledger = openLedger(undefined)
  for (const [token, decision, status] of [
    ['tok_3ds', 'approve', 'succeeded'],
    ['tok_3ds', 'refuse', 'declined'],
    ['tok_3ds_fail', 'approve', 'declined'],
    ['tok_3ds_fail', 'refuse', 'declined'],
  ] as const) {
    const made = makeCharge(ledger, `${token} ${decision}`, { ...chargeRequest, token })
    assert.ok(made?.challenge)
    assert.equal(made.charge.status, 'action_required')
    assert.equal(made.callbackDue, false)
    assert.match(made.challenge.secret, /^[\w-]{43}$/)
    assert.deepEqual(ledger.findChallenge(made.challenge.secret), made)
    const decided = decideCharge(ledger, made, decision)
    assert.deepEqual([decided.charge.status, decided.callbackDue], [status, true])
    assert.deepEqual(decideCharge(ledger, decided, 'approve'), decided)
    assert.deepEqual(voidCharge(ledger, decided.charge.key), decided)
  }
  assert.equal(ledger.findChallenge('guessed'), undefined)
})

test('a charge voided while it waits for the buyer cannot be approved any more', () => {
  const ledger = openLedger(undefined)
  makeCharge(ledger, 'a', { ...chargeRequest, token: 'tok_3ds' })
  const voided = voidCharge(ledger, 'a')
  assert.equal(decideCharge(ledger, voided, 'approve').charge.status, 'voided')
})
