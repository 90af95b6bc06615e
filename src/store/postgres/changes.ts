import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Change, type ChangeFeed, Subscribers } from '#store/changes.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import { PostgresClient } from './client.ts'

const applicationName = 'cartwright changes'
const channel = 'cartwright_changes'
/** PostgreSQL limits a notification to less than 8000 bytes. */
const maxPayloadBytes = 7500
const heartbeatIntervalMs = 500
/** A process that has not received its own heartbeat for this long is not connected. */
const heartbeatTimeoutMs = 1500
/** After this time without a heartbeat it listens on another connection. */
const listenAnewMs = 5000
/** How long a response waits for the notification of other processes. */
const maxPublishWaitMs = 250
const sendTimeoutMs = 1000
const closeTimeoutSeconds = 1
const connectTimeoutSeconds = 5
// The driver's own backoff grows to twenty seconds without notifications.
const reconnectPauseSeconds = 0.25

/** The payload of a notification; a heartbeat has no change. */
interface Notification {
  readonly from: string
  readonly change?: Change
}

type SendOtherwise = (sql: string, parameters: readonly unknown[]) => Promise<unknown>

const notify = 'select pg_notify($1, $2)'

/**
 * The changes of a PostgreSQL database, sent between its processes by NOTIFY. They are sent after
 * the commit, since a NOTIFY inside a transaction serialises commits, and mostly along with it. The changes of a
 * process that dies in between are lost, so caches must limit the age of their entries as well.
 */
export class PostgresFeed implements ChangeFeed {
  readonly #url: string
  readonly #sendOtherwise: SendOtherwise
  readonly #processId = randomUUID()
  readonly #subscribers = new Subscribers()
  #listener: ReturnType<typeof connect> | undefined
  #sender: PostgresClient | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #lastHeartbeatMs = Number.NEGATIVE_INFINITY
  #batch: Batch | undefined
  /** A notification could not be sent; the next heartbeat sends `anything` instead. */
  #hasLostChange = false

  /** `sendOtherwise` runs a statement over another way to the database, where its own connection fails. */
  constructor(url: string, sendOtherwise: SendOtherwise) {
    this.#url = url
    this.#sendOtherwise = sendOtherwise
  }

  subscribe(listener: (change: Change) => void): void {
    if (this.#subscribers.isEmpty) this.#listen()
    this.#subscribers.add(listener)
  }

  isConnected(): boolean {
    return performance.now() - this.#lastHeartbeatMs < heartbeatTimeoutMs
  }

  /** Returns the statement that notifies other processes of changes; undefined where it takes several. */
  announcement(cacheTags: ReadonlySet<string>) {
    const [change, ...others] = splitBySize(cacheTags)
    return change === undefined || others.length > 0 ? undefined : this.#statement({ change })
  }

  async publish(change: Change, isAnnounced = false): Promise<void> {
    this.#subscribers.notify(change)
    if (isAnnounced) return
    this.#batch ??= createBatch(async (changes) => {
      this.#batch = undefined
      await Promise.all(changes.map((each) => this.#send({ change: each })))
    })
    this.#batch.add(change)
    await Promise.race([this.#batch.sent, sleep(maxPublishWaitMs, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    await Promise.all([
      this.#listener?.end({ timeout: closeTimeoutSeconds }),
      this.#sender?.close(),
    ])
  }

  #listen(): void {
    // Called at every new connection; earlier notifications may have been missed.
    const onListening = (): void => {
      this.#subscribers.notify('anything')
      void this.#send({})
    }
    const onNotification = (text: string): void => {
      const { from, change } = JSON.parse(text) as Notification
      if (from === this.#processId) this.#lastHeartbeatMs = performance.now()
      else if (change) this.#subscribers.notify(change)
    }
    // After a failed first connection the next heartbeat connects again; later the driver does, unless
    // the connection is silent.
    let isListening = false
    let listeningSinceMs = 0
    const isSilent = (): boolean => {
      const heardAtMs = Math.max(listeningSinceMs, this.#lastHeartbeatMs)
      return performance.now() - heardAtMs > listenAnewMs
    }
    const beat = (): void => {
      if (isListening && isSilent()) {
        void this.#listener?.end({ timeout: 0 })
        this.#listener = undefined
        isListening = false
      }
      if (isListening) {
        const hasLostChange = this.#hasLostChange
        this.#hasLostChange = false
        void this.#send(hasLostChange ? { change: 'anything' } : {})
        return
      }
      isListening = true
      listeningSinceMs = performance.now()
      this.#listener ??= connect(this.#url)
      this.#listener.listen(channel, onNotification, onListening).catch(() => {
        isListening = false
      })
    }
    beat()
    this.#heartbeat = setInterval(beat, heartbeatIntervalMs).unref()
  }

  #statement(message: Omit<Notification, 'from'>) {
    const text = JSON.stringify({ from: this.#processId, ...message })
    return { sql: notify, parameters: [channel, text] }
  }

  async #send(message: Omit<Notification, 'from'>): Promise<void> {
    const { sql, parameters } = this.#statement(message)
    try {
      this.#sender ??= new PostgresClient(this.#url, sendTimeoutMs, { applicationName })
      await withinTimeout(this.#sender.query(sql, parameters), sendTimeoutMs)
    } catch {
      this.#sender?.discard()
      if (message.change) await this.#sendChangeOtherwise(parameters)
    }
  }

  async #sendChangeOtherwise(parameters: readonly unknown[]): Promise<void> {
    try {
      await withinTimeout(this.#sendOtherwise(notify, parameters), sendTimeoutMs)
    } catch {
      // Other processes are connected and would keep stale cache entries until these expire.
      this.#hasLostChange = true
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

/** Collects the changes of one turn of the event loop, then sends them. */
function createBatch(send: (changes: readonly Change[]) => Promise<void>): Batch {
  const cacheTags = new Set<string>()
  let isAnything = false
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(() => void send(isAnything ? ['anything'] : splitBySize(cacheTags)).then(resolve))
  return {
    sent: promise,
    add: (change) => {
      if (change === 'anything') isAnything = true
      else for (const tag of change) cacheTags.add(tag)
    },
  }
}

/** Splits cache tags into lists that each fit a notification. */
function splitBySize(cacheTags: Iterable<string>): readonly Change[] {
  const lists: string[][] = []
  let remainingBytes = 0
  for (const tag of cacheTags) {
    // Two quotes and a comma.
    const bytes = Buffer.byteLength(tag) + 3
    if (bytes > remainingBytes) {
      lists.push([])
      remainingBytes = maxPayloadBytes
    }
    lists.at(-1)?.push(tag)
    remainingBytes -= bytes
  }
  return lists
}
