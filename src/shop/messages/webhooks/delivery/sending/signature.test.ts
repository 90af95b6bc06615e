import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { minuteMs } from '#values/instant.ts'
import { isWebhookSecret, makeWebhookSecret, signWebhook } from './signature.ts'

const id = 'evt_01890a5d-ac96-774b-bcce-b302099a8057'
const body = JSON.stringify({ type: 'order.paid', note: 'Zoë – 北京' })

const headersFor = (secrets: readonly string[], at = Date.now()) => {
  const timestamp = Math.floor(at / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secrets, { id, timestamp, body }),
  }
}

for (const [library, Webhook] of [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
] as const) {
  describe(`the library ${library}`, () => {
    const secret = makeWebhookSecret()
    const verify = (headers: Record<string, string>, text = body) =>
      new Webhook(secret).verify(text, headers)

    test('accepts a signature', () => {
      verify(headersFor([secret]))
    })
    test('accepts a signature by any of several secrets', () => {
      verify(headersFor([makeWebhookSecret(), secret]))
      verify(headersFor([secret, makeWebhookSecret()]))
    })
    test('rejects a signature by another secret', () => {
      assert.throws(() => verify(headersFor([makeWebhookSecret()])), /signature/i)
    })
    test('rejects a changed body', () => {
      assert.throws(() => verify(headersFor([secret]), `${body} `), /signature/i)
    })
    test('rejects another ID', () => {
      const headers = { ...headersFor([secret]), 'webhook-id': `${id}0` }
      assert.throws(() => verify(headers), /signature/i)
    })
    test('rejects an old timestamp', () => {
      assert.throws(() => verify(headersFor([secret], Date.now() - 6 * minuteMs)), /too old/)
    })
  })
}

describe('a secret', () => {
  const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')

  test('has 256 random bits', () => {
    const [one, other] = [makeWebhookSecret(), makeWebhookSecret()]
    assert.notEqual(one, other)
    assert.equal(Buffer.from(one.slice('whsec_'.length), 'base64').length, 32)
    assert.ok(isWebhookSecret(one))
  })
  for (const bytes of [24, 32, 64]) {
    test(`may have ${bytes} bytes`, () => {
      assert.ok(isWebhookSecret(`whsec_${base64(bytes)}`))
    })
  }
  for (const [name, text] of [
    ['23 bytes', `whsec_${base64(23)}`],
    ['65 bytes', `whsec_${base64(65)}`],
    ['no prefix', base64(32)],
    ['another alphabet', `whsec_${Buffer.alloc(32, 255).toString('base64url')}`],
    ['white space', `whsec_${base64(32)} `],
    ['no padding', `whsec_${base64(32).replace('=', '')}`],
  ] as const) {
    test(`with ${name} is not accepted`, () => {
      assert.equal(isWebhookSecret(text), false)
    })
  }
})
