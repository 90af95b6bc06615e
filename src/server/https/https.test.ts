import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartError } from '#src/server/start-error.ts'
import { requestHttp2 } from '#test/support/https-app.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'
import { readServerIdentity } from './https.ts'

const SECRET_KEY = 'a secret key that only tests sign with'
const quiet = { DEMO_DATA: 'off', SECRET_KEY, DATABASE_URL: 'sqlite::memory:', TLS_PORT: '0' }

const run = promisify(execFile)
const entry = fileURLToPath(new URL('../../cli/cert.ts', import.meta.url))

const tlsPortOf = async ({ url, output }: ServerProcess): Promise<string> => {
  await url
  return /"tls_port":(\d+)/.exec(output())?.[1] ?? ''
}

async function openSession(server: ServerProcess, ca: Buffer): Promise<ClientHttp2Session> {
  const session = connect(`https://localhost:${await tlsPortOf(server)}`, { ca })
  await once(session, 'remoteSettings')
  return session
}

describe('npm start with a certificate', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)
  const makeCertificate = (...args: readonly string[]) =>
    run(process.execPath, [entry, ...args], { cwd: folder })
  const files = { TLS_CERT: 'data/tls-cert.pem', TLS_KEY: 'data/tls-key.pem' }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-tls-'))
    await makeCertificate()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('npm run cert creates one for this machine, prints its usage, and keeps it', async () => {
    const { stdout } = await makeCertificate(
      '--cert',
      'c.pem',
      '--key',
      'k.pem',
      '--host',
      'a.test',
    )
    assert.match(stdout, /TLS_CERT=c\.pem TLS_KEY=k\.pem npm start\n {2}curl --cacert c\.pem https/)
    assert.equal((await stat(file('k.pem'))).mode & 0o777, 0o600)
    const created = await readFile(file('c.pem'))
    await makeCertificate('--cert', 'c.pem', '--key', 'k.pem')
    assert.deepEqual(await readFile(file('c.pem')), created)
    await makeCertificate('--cert', 'c.pem', '--key', 'k.pem', '--renew')
    assert.notDeepEqual(await readFile(file('c.pem')), created)
    await assert.rejects(makeCertificate('--hots', 'a.test'), /usage: npm run cert/)
  })

  test('serves HTTPS beside plain HTTP, and prints its URL', async () => {
    const server = start(folder, { ...quiet, ...files })
    const session = await openSession(server, await readFile(file(files.TLS_CERT)))
    const tlsPort = await tlsPortOf(server)
    assert.match(server.output(), new RegExp(`listens at https://localhost:${tlsPort}\\n`))
    assert.equal((await requestHttp2(session, { ':path': '/health/ready' })).status, 200)
    assert.equal((await fetch(`${await server.url}/products`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  test('redirects every client to HTTPS with PLAIN_HTTP=redirect', async () => {
    const server = start(folder, { ...quiet, ...files, PLAIN_HTTP: 'redirect' })
    const url = await server.url
    for (const _ of [1, 2]) {
      const { status, headers } = await fetch(`${url}/products?q=x`, { redirect: 'manual' })
      const place = `https://127.0.0.1:${await tlsPortOf(server)}/products?q=x`
      assert.deepEqual([status, headers.get('location')], [301, place])
    }
    // A host that the certificate does not name is redirected to one that it names.
    for (const host of ['evil.example', 'a', 'a_b:1', '192.0.2.7', '[2001:db8::1]']) {
      const sent = request(`${url}/products`, { headers: { host } }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      const { location = '' } = answer.headers
      assert.match(location, /^https:\/\/localhost:\d+\/products$/, host)
    }
    assert.equal(await server.stop(), 0)
  })

  test('fails with one line when the key belongs to another certificate', async () => {
    await makeCertificate('--cert', 'unused.pem', '--key', 'other.pem')
    const server = start(folder, { ...quiet, ...files, TLS_KEY: 'other.pem' })
    assert.equal(await server.ended, 1)
    assert.match(server.output(), /^TLS_KEY: \S+ does not belong to the certificate in [^\n]*\n$/)
  })

  const invalid: readonly (readonly [string, string, string, RegExp])[] = [
    ['is missing', 'none.pem', files.TLS_KEY, /^TLS_CERT: \S+ cannot be read \(ENOENT\)$/],
    ['is not one', files.TLS_KEY, files.TLS_KEY, /^TLS_CERT: \S+ contains no certificate in PEM$/],
    ['has no key', files.TLS_CERT, files.TLS_CERT, /^TLS_KEY: \S+ contains no private key/],
  ]
  for (const [what, tlsCert, tlsKey, line] of invalid) {
    test(`a certificate that ${what} throws a StartError`, () => {
      const paths = { tlsCert: file(tlsCert), tlsKey: file(tlsKey) }
      assert.throws(
        () => readServerIdentity(paths),
        (error: unknown) => error instanceof StartError && line.test(error.message),
      )
    })
  }

  for (const kind of ['sqlite', 'postgres'] as const) {
    test(`SIGTERM drops no request on HTTP/2, by ${kind === 'sqlite' ? 'one process' : 'two'}`, {
      skip: skipReason(kind),
    }, async () => {
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const WORKERS = kind === 'sqlite' ? '1' : '2'
      const limits = { RATE_LIMIT: 'off', CATALOGUE_MEMORY_MB: '0' }
      const server = start(folder, { ...quiet, ...files, ...limits, DATABASE_URL, WORKERS })
      const ca = await readFile(file(files.TLS_CERT))
      if (WORKERS === '2') await listening(server)
      const sessions = await Promise.all([1, 2, 3, 4].map(() => openSession(server, ca)))
      const broken: unknown[] = []
      let answered = 0
      const clients = sessions.map(async (session) => {
        while (!session.closed && !session.destroyed) {
          try {
            const { status } = await requestHttp2(session, { ':path': '/products?limit=1' })
            if (status === 200) answered += 1
            else broken.push(status)
          } catch (error) {
            // The client may retry what the server declared unprocessed.
            if (!/GOAWAY|REFUSED_STREAM/.test(String(error))) broken.push(error)
            return
          }
        }
      })
      while (answered < 40) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal(await server.stop(), 0, server.output())
      await Promise.all(clients)
      assert.deepEqual(broken, [])
      await remove()
    })
  }

  test('uses a renewed certificate without a restart', async () => {
    const own = { TLS_CERT: 'own.pem', TLS_KEY: 'own-key.pem' }
    await makeCertificate('--cert', own.TLS_CERT, '--key', own.TLS_KEY)
    const server = start(folder, { ...quiet, ...own })
    const session = await openSession(server, await readFile(file(own.TLS_CERT)))
    await makeCertificate('--cert', own.TLS_CERT, '--key', own.TLS_KEY, '--renew')
    while (!server.output().includes('"the certificate was renewed"')) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const renewed = await openSession(server, await readFile(file(own.TLS_CERT)))
    for (const each of [session, renewed]) {
      assert.equal((await requestHttp2(each, { ':path': '/health/live' })).status, 200)
      each.close()
    }
    assert.equal(await server.stop(), 0)
  })
})

async function listening({ output }: ServerProcess): Promise<void> {
  while (!output().includes('"all workers listen"')) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
