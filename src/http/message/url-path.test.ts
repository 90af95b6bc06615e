import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedPath, withoutSecrets } from './url-path.ts'

test('a path has no secret of its route, however it is written', () => {
  const route = '/password-resets/:token'
  for (const path of ['/password-resets/', '/p%61ssword-resets/', '/v1/password%2Dresets/']) {
    assert.equal(withoutSecrets(`${path}t0ken`, route), `${path}[secret]`)
  }
  assert.equal(
    withoutSecrets('/sandbox/payments/x', '/sandbox/payments/:secret'),
    '/sandbox/payments/[secret]',
  )
  assert.equal(withoutSecrets('/products/7', '/products/:productId'), '/products/7')
})

test('a path without a route has none after the words of such routes', () => {
  for (const path of [
    '/password-resets/t0ken/x',
    '/p%61ssword-resets/t0ken/x',
    '/password-resets%2Ft0ken/x',
  ]) {
    assert.equal(withoutSecrets(path, undefined), '/password-resets/[secret]/x')
  }
  for (const words of ['email-confirmations', 'email-rejections', 'address-changes']) {
    assert.equal(withoutSecrets(`/${words}/t0ken/x`, undefined), `/${words}/[secret]/x`)
  }
  assert.equal(withoutSecrets('/nothing/%', undefined), '/nothing/%')
})

test('a path in the log has no parameters, as they were sent or encoded', () => {
  const sent = { ';': ';', '&': '&', '=': '=', '%3B': '%3B', '%253b': '%253b', '%3Fx&': '%3F' }
  for (const [before, shown] of Object.entries(sent)) {
    const path = `/products/7${before}api_key=cw_secret/images`
    assert.equal(loggedPath(path, '/products/:productId/images'), `/products/7${shown}[secret]`)
    assert.match(loggedPath(path, undefined), /^\/products\/7[^a]+\[secret\]$/)
  }
  assert.equal(loggedPath('/products/%zz;api_key=x', undefined), '/products/%zz;[secret]')
})

test('a path in the log is cut at 256 characters, after its secrets are replaced', () => {
  const short = `/${'x'.repeat(255)}`
  assert.equal(loggedPath(short, undefined), short)
  assert.equal(loggedPath(`/${'x'.repeat(7900)}`, undefined), `${short}…`)
  const secret = `/password-resets/${'x'.repeat(7900)}`
  assert.equal(loggedPath(secret, undefined), '/password-resets/[secret]')
})
