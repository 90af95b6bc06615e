import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { createSelfSignedCertificate } from './self-signed.ts'

const from = Date.UTC(2026, 0, 1)

test('a certificate vouches for its names and addresses, and can sign no other', async () => {
  const until = Date.UTC(2027, 0, 1)
  const names = ['localhost', '127.0.0.1', '::1', '2001:db8::a:0:7'] as const
  const made = await createSelfSignedCertificate(names, { from, until })
  const certificate = new X509Certificate(made.certificate)
  assert.equal(certificate.subject, 'CN=localhost')
  assert.ok(certificate.verify(certificate.publicKey))
  assert.ok(certificate.checkPrivateKey(createPrivateKey(made.key)))
  assert.equal(certificate.ca, false)
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkHost('example.com'), undefined)
  for (const address of ['127.0.0.1', '::1', '2001:db8::a:0:7']) {
    assert.equal(certificate.checkIP(address), address)
  }
  assert.equal(certificate.validFromDate.getTime(), from)
  assert.equal(certificate.validToDate.getTime(), until)
})

test('two certificates have different serial numbers, and may last beyond 2049', async () => {
  const until = Date.UTC(2050, 5, 1)
  const make = async () =>
    new X509Certificate(
      (await createSelfSignedCertificate(['localhost'], { from, until })).certificate,
    )
  const [one, other] = [await make(), await make()]
  assert.notEqual(one.serialNumber, other.serialNumber)
  assert.equal(one.validToDate.getTime(), until)
})

test('whoever trusts the certificate trusts a server that has it, and nobody else does', async () => {
  const now = Date.now()
  const made = await createSelfSignedCertificate(['localhost'], {
    from: now - 1000,
    until: now + 60_000,
  })
  const server = createServer({ cert: made.certificate, key: made.key }, (socket) => socket.end())
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const place = { port, host: '127.0.0.1', servername: 'localhost' }
  const trusting = connect({ ...place, ca: made.certificate })
  await once(trusting, 'secureConnect')
  assert.ok(trusting.authorized)
  trusting.destroy()
  const strange = connect(place)
  const [error] = (await once(strange, 'error')) as [NodeJS.ErrnoException]
  assert.match(error.code ?? '', /SELF_SIGNED/)
  server.close()
})
