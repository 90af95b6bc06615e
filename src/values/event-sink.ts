/** The protocols by which events are sent to message brokers. */
export type SinkProtocol = 'nats' | 'amqp' | 'kafka'

/** Where a broker listens. */
export interface BrokerHost {
  readonly host: string
  readonly port: number
}

/** How a client of a broker proves who it is. */
export interface BrokerCredentials {
  /** Alone, a token of NATS. */
  readonly username: string
  readonly password: string | undefined
}

/** A message broker that gets every event, and where in it. */
export interface EventSink {
  /** The URL without credentials, which tells apart the sinks of a shop. */
  readonly name: string
  readonly protocol: SinkProtocol
  readonly isEncrypted: boolean
  /** The servers of one broker, at least one. */
  readonly hosts: readonly BrokerHost[]
  readonly credentials: BrokerCredentials | undefined
  /** The stream, exchange or topic. */
  readonly target: string
  /** What events of NATS are published under, before their type; by default what the stream takes. */
  readonly subject: string | undefined
  /** The virtual host of AMQP. */
  readonly virtualHost: string
  /** How credentials are sent to Kafka. */
  readonly mechanism: SaslMechanism
}

/** The ways in which Kafka accepts a username and a password. */
export type SaslMechanism = (typeof mechanisms)[number]

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

interface Scheme {
  readonly protocol: SinkProtocol
  readonly isEncrypted: boolean
  readonly port: number
}

const schemes: Readonly<Record<string, Scheme>> = {
  nats: { protocol: 'nats', isEncrypted: false, port: 4222 },
  tls: { protocol: 'nats', isEncrypted: true, port: 4222 },
  amqp: { protocol: 'amqp', isEncrypted: false, port: 5672 },
  amqps: { protocol: 'amqp', isEncrypted: true, port: 5671 },
  kafka: { protocol: 'kafka', isEncrypted: false, port: 9092 },
  'kafka+ssl': { protocol: 'kafka', isEncrypted: true, port: 9093 },
}

/** The parameters of a URL: the one that names the target, and how it looks, and others. */
const parameters = {
  nats: { target: 'stream', pattern: /^[\w-]{1,255}$/, others: ['subject'] },
  amqp: { target: 'exchange', pattern: /^[!-~]{1,127}$/, others: [] },
  kafka: { target: 'topic', pattern: /^[\w.-]{1,249}$/, others: ['mechanism'] },
} as const satisfies Record<SinkProtocol, object>

const subjectPattern = /^[\w-]+(?:\.[\w-]+)*$/
const urlPattern =
  /^(?<scheme>[a-z+]+):\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?\?(?<query>[^#]+)$/

/** A sink takes a connection of a process. */
const maxSinks = 10

/** Parses the URLs of sinks, separated by commas; undefined if one is malformed or two are the same. */
export function parseEventSinks(text: string): readonly EventSink[] | undefined {
  // A comma may also separate the hosts of one URL.
  const sinks = text.split(/,\s*(?=[a-z+]+:\/\/)/).map((url) => parseSink(url.trim()))
  const valid = sinks.filter((sink) => sink !== undefined)
  const isDistinct = new Set(valid.map(({ name }) => name)).size === sinks.length
  return isDistinct && sinks.length <= maxSinks ? valid : undefined
}

function parseSink(url: string): EventSink | undefined {
  const { scheme = '', user, hosts = '', path = '/', query } = urlPattern.exec(url)?.groups ?? {}
  const known = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (known === undefined) return undefined
  const { protocol, isEncrypted } = known
  const { target: targetName, pattern, others } = parameters[protocol]
  const search = new URLSearchParams(query)
  const names = [...search.keys()]
  const allowed: readonly string[] = [targetName, ...others]
  if (names.some((name) => !allowed.includes(name)) || new Set(names).size < names.length) return
  const target = search.get(targetName) ?? ''
  const subject = search.get('subject') ?? undefined
  const mechanism = mechanismOf(search.get('mechanism'))
  const servers = hosts.split(',').map((host) => parseHost(host, known.port))
  const found = servers.filter((server) => server !== undefined)
  const virtualHost = decode(path.slice(1))
  const credentials = parseCredentials(user)
  const isValid =
    pattern.test(target) &&
    subjectPattern.test(subject ?? 'none') &&
    found.length === servers.length &&
    (protocol === 'amqp' || path === '/')
  if (!isValid || mechanism === undefined || virtualHost === undefined || credentials === null)
    return undefined
  const addresses = found.map(({ host, port }) => `${host}:${port}`).join()
  const folder = protocol === 'amqp' && path !== '/' ? path : ''
  return {
    name: `${scheme}://${addresses}${folder}?${targetName}=${target}`,
    ...{ protocol, isEncrypted, hosts: found, credentials, target, subject, mechanism },
    virtualHost: virtualHost === '' ? '/' : virtualHost,
  }
}

const mechanismOf = (text: string | null): SaslMechanism | undefined =>
  text === null ? 'PLAIN' : mechanisms.find((each) => each === text.toUpperCase())

function parseHost(text: string, defaultPort: number): BrokerHost | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? defaultPort : Number(digits)
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : undefined
}

/** Null for malformed ones. */
function parseCredentials(user: string | undefined): BrokerCredentials | undefined | null {
  if (user === undefined) return undefined
  const at = user.indexOf(':')
  const username = decode(at === -1 ? user : user.slice(0, at))
  const password = at === -1 ? undefined : decode(user.slice(at + 1))
  if (username === undefined || username === '') return null
  return at !== -1 && password === undefined ? null : { username, password }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
