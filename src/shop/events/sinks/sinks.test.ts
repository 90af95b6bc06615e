import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteEventsBefore, publishEvents } from '#shop/events/feed-store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { createMetrics } from '#src/observability/metrics.ts'
import { describeSinks } from '#src/observability/sink-states.ts'
import { openStore, type Store } from '#store/database.ts'
import { eachDatabase } from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { kafkaSkipReason, simulateKafka } from '#test/support/services/brokers/kafka.ts'
import {
  type NatsMessage,
  natsSkipReason,
  type OwnNats,
  readStream,
  startNats,
} from '#test/support/services/brokers/nats.ts'
import { createExchange, rabbitSkipReason } from '#test/support/services/brokers/rabbitmq.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { parseEventSinks } from '#values/event-sink.ts'
import { dayMs } from '#values/instant.ts'
import { SinkPublisher } from './publisher.ts'
import { readSinkStates } from './sink-store.ts'
import { eventSinks } from './table.ts'

const source = 'https://shop.example.com'
const time = Date.UTC(2026, 0, 31, 12)

/** Records an event about each product of a range, in one transaction. */
const record = (store: Store, first: number, count: number) =>
  store.transaction((db) =>
    recordEvents(
      db,
      Array.from({ length: count }, (_, at) => ({
        ...{ type: 'product.updated' as const, time, user_id: null },
        subject: `/products/${(first + at) % 7}`,
        data: JSON.stringify({ id: first + at, image_url: '/images/1' }),
      })),
    ),
  )

function sinkOf(url: string) {
  const [sink] = parseEventSinks(url) ?? []
  assert.ok(sink)
  return sink
}

/** Starts to send events, adding to the lines of a log; returns the lines, and how to stop. */
function publish({ db }: Store, url: string, lines: string[] = []) {
  const write = (facts: object, message: string) => {
    lines.push(JSON.stringify([message, facts]))
  }
  const publisher = new SinkPublisher(sinkOf(url), {
    ...{ db, source, clock: Date.now, eventDays: 30 },
    log: { info: write, warn: write, error: write },
    pace: { startRound: () => undefined, endRound: () => 0 },
  })
  return { lines, stop: () => publisher.stop() }
}

const stateOf = async ({ db }: Store, url: string) =>
  (await readSinkStates(db, [sinkOf(url).name]))[0]

const waitUntilSent = (store: Store, url: string, position: number) =>
  pollUntil(
    () => stateOf(store, url),
    (state) => state?.position === position,
  )

const numbers = (messages: readonly NatsMessage[]) => messages.map(({ json }) => json.data.id)

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

eachDatabase((kind) => {
  describe('a sink of NATS JetStream', { skip: natsSkipReason() }, () => {
    let temporary: TemporaryStore
    let store: Store
    let nats: OwnNats
    before(async () => {
      temporary = await openTemporaryStore(kind)
      store = temporary.store
      nats = await startNats('--user', 'shop', '--pass', 'secret of the broker')
    })
    after(async () => {
      await nats?.dispose()
      await temporary?.dispose()
    })
    const url = (stream: string) =>
      `nats://shop:secret%20of%20the%20broker@127.0.0.1:${nats.port}?stream=${stream}`
    const read = (stream: string) =>
      readStream(nats.port, stream, { user: 'shop', pass: 'secret of the broker' })

    test('gets every event as a CloudEvent, in order, by several processes, through an outage', async () => {
      const other = await openStore(temporary.url)
      await record(store, 0, 30)
      const lines: string[] = []
      const publishers = [store, other].map((each) => publish(each, url('SHOP'), lines))
      await waitUntilSent(store, url('SHOP'), 30)
      await nats.kill()
      await record(store, 30, 500)
      const failing = await pollUntil(
        () => stateOf(store, url('SHOP')),
        (state) => state !== undefined && state.attempts > 1,
      )
      assert.equal(failing?.newest, 530)
      assert.ok(failing.failing_since)
      await nats.start()
      await waitUntilSent(store, url('SHOP'), 530)
      await Promise.all(publishers.map(({ stop }) => stop()))
      await other.close()
      const messages = await read('SHOP')
      assert.deepEqual(
        numbers(messages).toSorted((a, b) => a - b),
        upTo(530),
      )
      for (const [, same] of Map.groupBy(messages, ({ json }) => json.subject)) {
        assert.deepEqual(
          numbers(same),
          numbers(same).toSorted((a, b) => a - b),
        )
      }
      const [first] = messages
      assert.equal(first?.subject, 'SHOP.product.updated')
      assert.equal(first.headers['Content-Type'], 'application/cloudevents+json')
      assert.equal(first.headers['Nats-Msg-Id'], first.json.id)
      assert.deepEqual(first.json, {
        ...{ specversion: '1.0', id: first.json.id, source, type: 'product.updated' },
        ...{ subject: '/products/0', time: '2026-01-31T12:00:00.000Z' },
        ...{ datacontenttype: 'application/json', sequence: '1' },
        data: { id: 0, image_url: `${source}/images/1` },
      })
      assert.match(lines.join(), /event sink does not take events.*event sink works again/)
      assert.doesNotMatch(lines.join(), /secret of the broker/)
      const row = await eventSinks.find(store.db, { name: sinkOf(url('SHOP')).name })
      assert.equal(row?.leased_until, 0)
    })

    test('repeats no event that the stream has, and says what it waits for', async () => {
      const name = sinkOf(url('SHOP')).name
      await eventSinks.update(store.db, { name }, { position: 500 })
      const metrics = createMetrics({
        ...{ store, currency: 'USD', clock: () => time + dayMs },
        sinks: { names: [name], retentionMs: 30 * dayMs },
      })
      const text = await metrics.render()
      for (const [metric, value] of [
        ['unsent_events', 30],
        ['oldest_event_age_seconds', 86_400],
        ['retention_used_ratio', 1 / 30],
        ['lost_events', 0],
        ['failing', 0],
      ]) {
        assert.ok(text.includes(`event_sink_${metric}{sink="${name}"} ${value}\n`), text)
      }
      assert.deepEqual(await describeSinks(store.db, [name, 'nats://new?stream=S']), [
        {
          ...{ name, status: 'working', position: 500, unsent_events: 30 },
          ...{ oldest_unsent_at: '2026-01-31T12:00:00.000Z', lost_events: 0 },
          ...{ failing_since: null, failed_attempts: 0, error: null },
        },
        { name: 'nats://new?stream=S', status: 'starting' },
      ])
      const { stop } = publish(store, url('SHOP'))
      await waitUntilSent(store, url('SHOP'), 530)
      await stop()
      assert.equal((await read('SHOP')).length, 530)
    })

    test('continues after a process that has died, and waits for no other sink', async () => {
      const name = sinkOf(url('TWO')).name
      const away = publish(store, 'nats://127.0.0.1:1?stream=AWAY')
      const first = publish(store, url('TWO'))
      await waitUntilSent(store, url('TWO'), 530)
      await first.stop()
      // A claim that nobody gives back.
      await eventSinks.update(store.db, { name }, { leased_until: Date.now() + 2000 })
      await record(store, 530, 5)
      const second = publish(store, url('TWO'))
      await waitUntilSent(store, url('TWO'), 535)
      await Promise.all([second.stop(), away.stop()])
      assert.deepEqual(
        numbers(await read('TWO')).toSorted((a, b) => a - b),
        upTo(535),
      )
      assert.match(away.lines.join(), /ECONNREFUSED/)
    })

    test('counts the events that were deleted before it took them', async () => {
      const { stop } = publish(store, 'nats://127.0.0.1:1?stream=LATE')
      const found = () => stateOf(store, 'nats://127.0.0.1:1?stream=LATE')
      await pollUntil(found, (state) => state !== undefined && state.attempts > 0)
      await stop()
      const deleteSome = () => store.transaction((db) => deleteEventsBefore(db, time + 1))
      while ((await deleteSome()) > 0);
      await record(store, 535, 1)
      await publishEvents(store.db)
      const late = publish(store, 'nats://127.0.0.1:1?stream=LATE')
      const state = await pollUntil(found, (each) => each?.lost !== 0)
      await late.stop()
      assert.deepEqual([state?.lost, state?.position], [535, 535])
      assert.match(late.lines.join(), /events were deleted before an event sink took them/)
    })
  })
})

describe('the bindings of protocols', () => {
  let temporary: TemporaryStore
  let store: Store
  before(async () => {
    temporary = await openTemporaryStore('sqlite')
    store = temporary.store
    await record(store, 0, 450)
  })
  after(() => temporary.dispose())

  test('RabbitMQ gets persistent messages whose headers are attributes', {
    skip: rabbitSkipReason(),
  }, async (t) => {
    const exchange = await createExchange()
    t.after(exchange.dispose)
    const { stop } = publish(store, exchange.sink)
    await pollUntil(
      async () => exchange.messages,
      ({ length }) => length === 450,
    )
    await stop()
    const [message] = exchange.messages
    assert.equal(message?.routingKey, 'product.updated')
    const { headers, contentType, deliveryMode, messageId, type, timestamp } = message.properties
    assert.deepEqual(headers, {
      'cloudEvents:specversion': '1.0',
      'cloudEvents:id': messageId,
      'cloudEvents:source': source,
      'cloudEvents:type': 'product.updated',
      'cloudEvents:subject': '/products/0',
      'cloudEvents:time': '2026-01-31T12:00:00.000Z',
      'cloudEvents:sequence': '1',
    })
    assert.deepEqual(
      [contentType, deliveryMode, type, timestamp],
      ['application/json', 2, 'product.updated', time / 1000],
    )
    assert.deepEqual(JSON.parse(message.content), { id: 0, image_url: `${source}/images/1` })
  })

  test('RabbitMQ with a wrong password is a failure that does not show it', {
    skip: rabbitSkipReason(),
  }, async () => {
    const url = new URL(process.env['TEST_RABBITMQ_URL'] ?? '')
    const sink = `amqp://nobody:wrong-password@${url.host}?exchange=x`
    const { stop, lines } = publish(store, sink)
    const state = await pollUntil(
      () => stateOf(store, sink),
      (each) => each?.error != null,
    )
    await stop()
    assert.match(state?.error ?? '', /ACCESS.REFUSED|403/)
    assert.doesNotMatch(`${lines}${state?.error}`, /wrong-password/)
  })

  test('Kafka gets records in order by subject, whose headers are attributes', {
    skip: kafkaSkipReason(),
  }, async (t) => {
    const kafka = await simulateKafka('shop.events')
    t.after(kafka.dispose)
    const { stop } = publish(store, `kafka://${kafka.address}?topic=shop.events`)
    await pollUntil(
      async () => kafka.records,
      ({ length }) => length === 450,
    )
    await stop()
    const idOf = ({ payload }: { readonly payload: string }) => JSON.parse(payload).id as number
    assert.deepEqual(
      kafka.records.map(idOf).toSorted((a, b) => a - b),
      upTo(450),
    )
    const partitions = new Set<number>()
    for (const [subject, records] of Map.groupBy(kafka.records, ({ key }) => key)) {
      assert.deepEqual(
        records.map(idOf),
        records.map(idOf).toSorted((a, b) => a - b),
      )
      assert.equal(new Set(records.map(({ partition }) => partition)).size, 1, subject)
      partitions.add(records[0]?.partition ?? -1)
    }
    assert.ok(partitions.size > 1)
    const record = kafka.records.find((each) => idOf(each) === 0)
    const pairs = record?.headers.flatMap((name, at, all) => (at % 2 ? [] : [[name, all[at + 1]]]))
    const { ce_id, ...headers } = Object.fromEntries(pairs ?? [])
    assert.match(ce_id, /^evt_/)
    assert.deepEqual(headers, {
      ce_specversion: '1.0',
      ce_source: source,
      ce_type: 'product.updated',
      ce_subject: '/products/0',
      ce_time: '2026-01-31T12:00:00.000Z',
      ce_sequence: '1',
      'content-type': 'application/json',
    })
  })
})
