import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Change, type ChangeFeed, Subscribers } from '#db/changes.ts'
import { PostgresClient } from './pool.ts'

const applicationName = 'cartwright changes'
const channel = 'cartwright_changes'
/** PostgreSQL takes no notification of 8000 bytes or more. */
const maxBytes = 7500
const heartbeatMs = 1000
/** Without a word of its own for so long, a process no longer believes that it hears others. */
const silentAfterMs = 3000
/** An answer waits no longer for others to be told. */
const patienceMs = 250
const sendTimeoutMs = 5000
const closeTimeoutSeconds = 1
const connectTimeoutSeconds = 5
// The driver's own pauses grow to twenty seconds, in which nobody would be heard.
const reconnectPauseSeconds = 0.25

/** What a process tells: a change, or only that it can be heard. */
interface Notification {
  readonly from: string
  readonly change?: Change
}

/**
 * The changes of a PostgreSQL database, told between its processes by NOTIFY. They are sent after
 * the commit, those of many transactions together: a NOTIFY inside a transaction makes every commit
 * wait for the one before. What is changed by a process that dies in between is therefore told by
 * nobody, so that who keeps something has to bound its age.
 */
export class PostgresFeed implements ChangeFeed {
  readonly #url: string
  readonly #from = randomUUID()
  readonly #subscribers = new Subscribers()
  /** What it hears comes by another connection than what it says. */
  #hearing: ReturnType<typeof connect> | undefined
  #saying: PostgresClient | undefined
  #beating: NodeJS.Timeout | undefined
  #heardAtMs = Number.NEGATIVE_INFINITY
  #batch: Batch | undefined
  /** A change was told to nobody, since the connection was lost under it. */
  #isOwed = false

  constructor(url: string) {
    this.#url = url
  }

  subscribe(listener: (change: Change) => void): void {
    if (!this.#subscribers.some) this.#listen()
    this.#subscribers.add(listener)
  }

  isConnected(): boolean {
    return performance.now() - this.#heardAtMs < silentAfterMs
  }

  publish(change: Change): Promise<void> {
    this.#subscribers.tell(change)
    this.#batch ??= openBatch(async (changes) => {
      this.#batch = undefined
      await Promise.all(changes.map((each) => this.#send({ change: each })))
    })
    this.#batch.add(change)
    return Promise.race([this.#batch.sent, sleep(patienceMs, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    clearInterval(this.#beating)
    await Promise.all([this.#hearing?.end({ timeout: closeTimeoutSeconds }), this.#saying?.close()])
  }

  #listen(): void {
    // Called at every new connection; what was told before it went unheard.
    const begin = (): void => {
      this.#subscribers.tell('anything')
      void this.#send({})
    }
    const onNotification = (text: string): void => {
      const { from, change } = JSON.parse(text) as Notification
      if (from === this.#from) this.#heardAtMs = performance.now()
      else if (change) this.#subscribers.tell(change)
    }
    // Where the first connection fails, the next beat tries again; later ones are the driver's.
    let isListening = false
    const beat = (): void => {
      if (isListening) {
        const owed = this.#isOwed
        this.#isOwed = false
        void this.#send(owed ? { change: 'anything' } : {})
        return
      }
      isListening = true
      this.#hearing ??= connect(this.#url)
      this.#hearing.listen(channel, onNotification, begin).catch(() => {
        isListening = false
      })
    }
    beat()
    this.#beating = setInterval(beat, heartbeatMs).unref()
  }

  async #send(told: Omit<Notification, 'from'>): Promise<void> {
    try {
      this.#saying ??= new PostgresClient(this.#url, sendTimeoutMs, applicationName)
      const text = JSON.stringify({ from: this.#from, ...told })
      await this.#saying.query('select pg_notify($1, $2)', [channel, text])
    } catch {
      // The others may hear well, and so would believe what they keep until it grows too old.
      if (told.change) this.#isOwed = true
    }
  }
}

const connect = (url: string) =>
  postgres(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => reconnectPauseSeconds,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: applicationName },
  })

interface Batch {
  readonly add: (change: Change) => void
  readonly sent: Promise<void>
}

/** Collects what is changed in one turn of the event loop. */
function openBatch(send: (changes: readonly Change[]) => Promise<void>): Batch {
  const names = new Set<string>()
  let isAnything = false
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(() => void send(isAnything ? ['anything'] : parcels(names)).then(resolve))
  return {
    sent: promise,
    add: (change) => {
      if (change === 'anything') isAnything = true
      else for (const name of change) names.add(name)
    },
  }
}

/** The names in lists that each fit a notification. */
function parcels(names: Iterable<string>): readonly Change[] {
  const lists: string[][] = []
  let room = 0
  for (const name of names) {
    const size = Buffer.byteLength(name) + 3
    if (size > room) {
      lists.push([])
      room = maxBytes
    }
    lists.at(-1)?.push(name)
    room -= size
  }
  return lists
}
