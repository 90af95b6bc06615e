import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactAddress } from './log-addresses.ts'

const networks = {
  '203.0.113.77': '203.0.113.0',
  '127.0.0.1': '127.0.0.0',
  '::ffff:203.0.113.77': '203.0.113.0',
  '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::',
  '2001:DB8:0001:0002::6': '2001:db8:1:2::',
  '::1': '0:0:0:0::',
  'fe80::1%eth0': 'fe80:0:0:0::',
}

for (const [address, network] of Object.entries(networks)) {
  test(`${address} is logged as network, in full or not at all`, () => {
    assert.equal(redactAddress(address, 'network'), network)
    assert.equal(redactAddress(address, 'full'), address)
    assert.equal(redactAddress(address, 'none'), undefined)
  })
}

test('an invalid address is not logged', () => {
  for (const text of ['', 'unknown', '203.0.113.77:80', 'a'.repeat(5_000), undefined]) {
    assert.equal(redactAddress(text, 'full'), undefined)
    assert.equal(redactAddress(text, 'network'), undefined)
  }
})
