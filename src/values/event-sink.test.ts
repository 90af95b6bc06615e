import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEventSinks } from './event-sink.ts'

const first = (text: string) => parseEventSinks(text)?.[0]

test('the URL of a sink names a protocol, servers, credentials and a target', () => {
  assert.deepEqual(parseEventSinks('nats://127.0.0.1?stream=SHOP'), [
    {
      name: 'nats://127.0.0.1:4222?stream=SHOP',
      protocol: 'nats',
      isEncrypted: false,
      hosts: [{ host: '127.0.0.1', port: 4222 }],
      credentials: undefined,
      target: 'SHOP',
      subject: undefined,
      virtualHost: '/',
      mechanism: 'PLAIN',
    },
  ])
  const rabbit = first('amqps://shop:p%40ss@[::1]:5000/a%2Fb?exchange=shop.events')
  assert.equal(rabbit?.name, 'amqps://::1:5000/a%2Fb?exchange=shop.events')
  assert.deepEqual(rabbit?.credentials, { username: 'shop', password: 'p@ss' })
  assert.deepEqual([rabbit?.isEncrypted, rabbit?.virtualHost], [true, 'a/b'])
  const token = first('tls://token@a.example?stream=S&subject=shop.events')
  assert.deepEqual(token?.credentials, { username: 'token', password: undefined })
  assert.deepEqual([token?.isEncrypted, token?.subject], [true, 'shop.events'])
})

test('several sinks are separated by commas, as are the servers of one', () => {
  const sinks = parseEventSinks(
    'kafka+ssl://u:p@a:9093,b?topic=shop&mechanism=scram-sha-512, nats://c,d:1?stream=S,amqp://e?exchange=x',
  )
  assert.deepEqual(
    sinks?.map(({ name }) => name),
    [
      'kafka+ssl://a:9093,b:9093?topic=shop',
      'nats://c:4222,d:1?stream=S',
      'amqp://e:5672?exchange=x',
    ],
  )
  assert.equal(sinks?.[0]?.mechanism, 'SCRAM-SHA-512')
})

test('a malformed list of sinks is undefined', () => {
  for (const text of [
    '',
    'nats://a',
    'nats://a?stream=',
    'nats://a?stream=a.b',
    'nats://a?stream=S&subject=a.*',
    'nats://a?stream=S&stream=T',
    'nats://a?exchange=x',
    'nats://a/path?stream=S',
    'nats://:p@a?stream=S',
    'nats://%zz@a?stream=S',
    'nats://a:70000?stream=S',
    'kafka://a?topic=shop&mechanism=gssapi',
    'http://a?topic=shop',
    'constructor://a?topic=shop',
    'nats://a?stream=S,nats://u:p@a:4222?stream=S',
    'nats://a?stream=S,',
    Array.from({ length: 11 }, (_, at) => `nats://a?stream=S${at}`).join(),
  ]) {
    assert.equal(parseEventSinks(text), undefined, text)
  }
})
