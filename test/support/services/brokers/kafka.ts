import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const variable = 'TEST_KCAT'

/** The reason why Kafka cannot be tested, or false: a value for `skip`. */
export const kafkaSkipReason = (): string | false =>
  process.env[variable] === undefined && `Kafka is not tested: ${variable} is not set`

/** A record as a consumer of librdkafka prints it. */
export interface KafkaRecord {
  readonly partition: number
  readonly key: string
  readonly payload: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** The simulated cluster of librdkafka, which speaks the protocol of Kafka, and a consumer of a topic. */
export interface SimulatedKafka {
  /** The address of a broker. */
  readonly address: string
  /** What the consumer has got so far. */
  readonly records: readonly KafkaRecord[]
  readonly dispose: () => Promise<void>
}

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a cluster of three brokers and a consumer of `topic`. */
export async function simulateKafka(topic: string): Promise<SimulatedKafka> {
  const args = ['-C', '-b', 'none', '-X', 'test.mock.num.brokers=3', '-t', topic, '-J', '-u']
  const child = spawn(process.env[variable] ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const records: KafkaRecord[] = []
  createInterface(child.stdout).on('line', (line) => records.push(JSON.parse(line)))
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, found] = /replaced with (127\.0\.0\.1:\d+)/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(`kcat ended:\n${output}`)))
  })
  return {
    address,
    records,
    dispose: async () => {
      running.delete(child)
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
