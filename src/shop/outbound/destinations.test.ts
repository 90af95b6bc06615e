import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDestinationPolicy } from './destinations.ts'

describe('without allowed networks', () => {
  const { mayConnect, issueOf } = createDestinationPolicy([])

  for (const address of ['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111']) {
    test(`${address} is connected to by HTTPS only`, () => {
      assert.deepEqual([mayConnect(address, true), mayConnect(address, false)], [true, false])
    })
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]) {
    test(`${address} is never connected to`, () => {
      assert.equal(mayConnect(address, true), false)
    })
  }

  for (const [url, issue] of [
    ['https://hooks.example/in?token=1', undefined],
    ['https://hooks.example:8443/', undefined],
    ['https://1.1.1.1/', undefined],
    ['https://[2606:4700::1111]/', undefined],
    ['http://hooks.example/', 'https'],
    ['http://1.1.1.1/', 'https'],
    ['https://user@hooks.example/', 'credentials'],
    ['https://:secret@hooks.example/', 'credentials'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f.0.0.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://10.0.0.1:8443/', 'address'],
    ['http://10.0.0.1/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['https://localhost:3000/', 'address'],
    ['https://LOCALHOST./', 'address'],
    ['https://shop.localhost/', 'address'],
    ['https://localhost.example/', undefined],
  ] as const) {
    test(`${url}: ${issue ?? 'no issue'}`, () => {
      assert.equal(issueOf(url), issue)
    })
  }
})

describe('with the allowed networks 127.0.0.0/8, 10.0.0.5 and fd00::/8', () => {
  const { mayConnect, issueOf } = createDestinationPolicy(['127.0.0.0/8', '10.0.0.5', 'fd00::/8'])

  for (const address of ['127.0.0.1', '10.0.0.5', '::ffff:127.0.0.1', 'fd00::1']) {
    test(`${address} is connected to by HTTP and HTTPS`, () => {
      assert.deepEqual([mayConnect(address, true), mayConnect(address, false)], [true, true])
    })
  }
  for (const address of ['10.0.0.6', '::1', '::ffff:10.0.0.6', 'fc00::1', '192.168.0.1']) {
    test(`${address} is not connected to`, () => {
      assert.equal(mayConnect(address, true), false)
    })
  }
  for (const [url, issue] of [
    ['http://127.0.0.1:9000/', undefined],
    ['http://localhost:9000/', undefined],
    ['http://[fd00::1]/', undefined],
    ['http://hooks.internal/', undefined],
    ['http://1.1.1.1/', 'https'],
    ['http://10.0.0.6/', 'address'],
  ] as const) {
    test(`${url}: ${issue ?? 'no issue'}`, () => {
      assert.equal(issueOf(url), issue)
    })
  }
})
