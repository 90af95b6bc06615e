import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { validUpload } from '#test/support/images/uploads.ts'
import { start } from '#test/support/services/server-process.ts'
import manifest from '../../package.json' with { type: 'json' }

// The packages of what a shop may do without, and what loads them.
const optionalPackages = {
  postgres: 'DATABASE_URL of PostgreSQL',
  ioredis: 'REDIS_URL',
  'oidc-provider': 'the first request of OAuth',
  '@nats-io/jetstream': 'EVENT_SINKS of NATS',
  '@nats-io/transport-node': 'EVENT_SINKS of NATS',
  amqplib: 'EVENT_SINKS of RabbitMQ',
  '@platformatic/kafka': 'EVENT_SINKS of Kafka',
  selfsigned: 'npm run cert',
  stripe: 'PAYMENT_PROVIDER=stripe',
  nodemailer: 'the first mail',
  'csv-parse': 'the first import',
  '@opentelemetry/core': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/exporter-trace-otlp-proto': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/resources': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/sdk-trace-node': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  sharp: 'the first image',
  'file-type': 'the first image',
  '@fastify/busboy': 'the first form',
  aws4fetch: 'FILES_URL of S3',
  'sanitize-html': 'the first description of HTML',
  htmlparser2: 'the first description of HTML',
}

test('a start loads no package of what is not configured', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-optional-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const NODE_OPTIONS = `--import=${import.meta.resolve('#test/support/log-modules.ts')}`
  const server = start(folder, { DATABASE_URL: 'sqlite::memory:', NODE_OPTIONS })
  const answer = await fetch(`${await server.url}/products`)
  assert.equal(answer.status, 200)
  assert.equal(await server.stop(), 0)
  const isLoaded = (name: string) => server.output().includes(`/node_modules/${name}/`)
  assert.ok(isLoaded('fastify'))
  for (const [name, cause] of Object.entries(optionalPackages)) {
    const { dependencies, optionalDependencies } = manifest
    assert.ok(
      name in dependencies || name in optionalDependencies,
      `${name} is no dependency any more`,
    )
    assert.ok(!isLoaded(name), `${name} is loaded before ${cause}`)
  }
})

test('without sharp a server starts, and stores and serves images as they came', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-optional-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = start(folder, {
    DATABASE_URL: 'sqlite:shop.db',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'password of the test',
    DEMO_DATA: 'off',
    NODE_OPTIONS: `--import=${import.meta.resolve('#test/support/without-sharp.ts')}`,
  })
  const url = await server.url
  const post = async (path: string, type: string, body: Buffer | object, token?: string) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
      body: Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body),
    })
    assert.ok(response.ok, await response.clone().text())
    return (await response.json()) as { token: string; id: number; urls: Record<string, string> }
  }
  const json = 'application/json'
  const credentials = { username: 'admin', password: 'password of the test' }
  const { token } = await post('/login', json, credentials)
  const { id } = await post('/products', json, { name: 'Kettle', price: 5 }, token)
  const images = `/products/${id}/images`
  const { urls } = await post(images, 'image/png', validUpload.payload, token)
  for (const address of Object.values(urls)) {
    const file = await fetch(`${url}${new URL(address).pathname}`)
    assert.equal(file.headers.get('content-type'), 'image/png')
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), validUpload.payload)
  }
  const ready = await fetch(`${url}/health/ready`)
  assert.deepEqual(await ready.json(), { status: 'ready', images: 'unscaled' })
  assert.equal(await server.stop(), 0)
  assert.match(server.output(), /the optional package sharp is not installed/)
})
