import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedAddress } from './log-addresses.ts'

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
  test(`the log holds of ${address} the network, all of it or nothing, as is set`, () => {
    assert.equal(loggedAddress(address, 'network'), network)
    assert.equal(loggedAddress(address, 'full'), address)
    assert.equal(loggedAddress(address, 'none'), undefined)
  })
}

test('what is no address is not logged', () => {
  for (const text of ['', 'unknown', '203.0.113.77:80', 'a'.repeat(5_000), undefined]) {
    assert.equal(loggedAddress(text, 'full'), undefined)
    assert.equal(loggedAddress(text, 'network'), undefined)
  }
})
