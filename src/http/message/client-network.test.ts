import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { networkOf, siteIn, siteOf, withSite } from './client-network.ts'

describe('the network of an address', () => {
  const cases = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2:ffff::', '2001:db8:1:2::'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['2001:db8:1::5:6:7:8', '2001:db8:1:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    [undefined, ''],
  ] as const
  for (const [address, network] of cases) {
    test(`of ${address} is ${network}`, () => {
      assert.equal(networkOf(address), network)
    })
  }
})

test('networks of one IPv6 site count together where one could use many', () => {
  assert.equal(siteOf('2001:db8:1:2::'), '2001:db8:1::')
  assert.equal(siteOf('203.0.113.7'), '203.0.113.7')
  assert.equal(siteIn('attempt 2001:db8:1:ffff:: name'), '2001:db8:1::')
  assert.equal(withSite('attempt 2001:db8:1:ffff:: name'), 'attempt 2001:db8:1:: name')
  assert.equal(siteIn('GET /products user 7'), undefined)
  for (const text of ['GET /products user 7', 'work 203.0.113.7', 'attempt 2001:db8:1::']) {
    assert.equal(withSite(text), undefined)
  }
})
