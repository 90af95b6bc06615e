import { test } from 'node:test'
import { natsSkipReason } from '#test/support/services/brokers/nats.ts'
import { rabbitSkipReason } from '#test/support/services/brokers/rabbitmq.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { runEventSinks } from './scenarios/event-sinks.ts'

const noBroker = natsSkipReason() || rabbitSkipReason()

for (const [kind, processes] of [
  ['sqlite', 1],
  ['postgres', 3],
] as const) {
  test(`on ${kind}, NATS and RabbitMQ get every event in order while those who send are killed`, {
    skip: noBroker || skipReason(kind),
  }, async (t) => {
    const run = { kind, processes, events: 4000, kills: 2 }
    await runEventSinks(run, (line) => t.diagnostic(line))
  })
}
