import { resolve } from 'node:path'
import {
  allowance,
  currency,
  oneOf,
  onOrOff,
  optional,
  origin,
  origins,
  pemFile,
  proxies,
  secretKey,
  secretKeys,
  secretOf,
  setting,
  textOf,
  wholeNumber,
} from './setting.ts'

/** Where the data is; `file` is the absolute path of an embedded database that has one. */
export interface DatabaseAddress {
  readonly kind: 'sqlite' | 'postgres'
  readonly url: string
  readonly file?: string
}

const database = {
  form: 'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/NAME',
  parse: (text: string): DatabaseAddress | undefined => {
    if (text === 'sqlite::memory:') return { kind: 'sqlite', url: text }
    if (/^sqlite:./.test(text)) {
      const file = resolve(text.slice('sqlite:'.length))
      return { kind: 'sqlite', url: `sqlite:${file}`, file }
    }
    const isPostgres = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    return isPostgres ? { kind: 'postgres', url: text } : undefined
  },
}

/** Where the data is. */
export const databaseUrl = setting(
  'DATABASE_URL',
  {
    usual: 'sqlite:data/cartwright.db',
    about: 'Where the data is kept. The file, its folder and its tables are made when missing.',
    secret: true,
  },
  database,
)

/** Every setting there is; `.env.example` is made of this list. */
export const settings = {
  port: setting(
    'PORT',
    { usual: '3000', about: 'The port to listen on; 0 takes any free one.' },
    wholeNumber(0, 65_535),
  ),
  host: setting(
    'HOST',
    { usual: '127.0.0.1', about: 'The address to listen on; 0.0.0.0 or :: is every one.' },
    {
      form: 'an address or a name of this machine',
      parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
    },
  ),
  database: databaseUrl,
  baseUrl: optional(
    'BASE_URL',
    {
      about:
        'The address that clients use; unset: http://localhost:PORT or, with TLS_CERT, https://localhost:TLS_PORT.',
    },
    origin,
  ),
  secretKey: optional(
    'SECRET_KEY',
    {
      about:
        'Signs tokens. Required with PostgreSQL; unset with SQLite: made once and kept beside the file.',
      secret: true,
    },
    secretKey,
  ),
  secretKeyPrevious: setting(
    'SECRET_KEY_PREVIOUS',
    {
      usual: 'none',
      about: 'Further keys whose tokens and secrets are still read while SECRET_KEY is replaced.',
      secret: true,
    },
    secretKeys,
  ),
  adminUsername: setting(
    'ADMIN_USERNAME',
    { usual: 'admin', about: 'The name of the first administrator, made at the first start.' },
    textOf(1, 200),
  ),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    {
      about: 'The password of the first administrator; unset: one is made and printed once.',
      secret: true,
    },
    textOf(8, 256),
  ),
  digest: setting(
    'DIGEST',
    {
      usual: 'on',
      about:
        'Which Digest (RFC 7616) is offered: SHA-256 and MD5 (on), SHA-256 alone, or none. It needs a fast hash of every password, encrypted under SECRET_KEY; what is kept follows this setting.',
    },
    oneOf('on', 'sha-256', 'off'),
  ),
  demoData: optional(
    'DEMO_DATA',
    { about: 'Fills a new database with a demo shop; unset: on with SQLite, off with PostgreSQL.' },
    onOrOff,
  ),
  currency: setting(
    'CURRENCY',
    { usual: 'USD', about: 'What everything is priced in; fixed at the first start.' },
    currency,
  ),
  redisUrl: optional(
    'REDIS_URL',
    {
      about: 'Where all processes count requests together; unset: each counts its own, in memory.',
      secret: true,
    },
    {
      form: 'redis://USER:PASSWORD@HOST:PORT/NUMBER, or rediss:// over TLS',
      parse: (text) => (/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined),
    },
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    {
      usual: '100/60s',
      about:
        'How many requests each caller may make to each endpoint; off lifts every limit but that of sign-ins.',
    },
    allowance,
  ),
  loginLimit: setting(
    'LOGIN_LIMIT',
    {
      usual: '10/60s',
      about:
        'How often a name may be tried from one network; five times as many failures from one network, ten times an hour at one account. off lifts all three.',
    },
    allowance,
  ),
  rateLimitAlgorithm: setting(
    'RATE_LIMIT_ALGORITHM',
    { usual: 'sliding-window', about: 'How requests are counted.' },
    oneOf('sliding-window', 'fixed-window', 'token-bucket', 'leaky-bucket'),
  ),
  workers: setting(
    'WORKERS',
    { usual: '1', about: 'How many processes serve; more than one needs PostgreSQL.' },
    wholeNumber(1, 256),
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    { usual: 'none', about: 'Whose pages may use the API in a browser.' },
    origins,
  ),
  trustProxy: optional(
    'TRUST_PROXY',
    {
      about:
        'The proxies whose X-Forwarded-For and -Proto are believed; unset: none. It needs BASE_URL.',
    },
    proxies,
  ),
  tlsCert: optional(
    'TLS_CERT',
    {
      about:
        'The certificate of the server, with those that vouch for it; unset: plain HTTP alone. `npm run cert` makes one for this machine.',
    },
    pemFile,
  ),
  tlsKey: optional('TLS_KEY', { about: 'The private key that belongs to TLS_CERT.' }, pemFile),
  tlsPort: setting(
    'TLS_PORT',
    { usual: '3443', about: 'The port for HTTPS, beside PORT; 0 takes any free one.' },
    wholeNumber(0, 65_535),
  ),
  plainHttp: optional(
    'PLAIN_HTTP',
    {
      about:
        'Whom to serve over plain HTTP: clients of this machine (loopback), nobody (redirect) or everybody (allow); others get 301 to HTTPS, and credentials from other machines need HTTPS in any case. Unset: loopback.',
    },
    oneOf('loopback', 'redirect', 'allow'),
  ),
  catalogueMemoryMb: setting(
    'CATALOGUE_MEMORY_MB',
    { usual: '32', about: 'The memory in which answers of the catalogue are kept ready; 0: none.' },
    wholeNumber(0, 65_536),
  ),
  requireIfMatch: setting(
    'REQUIRE_IF_MATCH',
    { usual: 'off', about: 'Whether PUT, PATCH and DELETE without If-Match are refused with 428.' },
    onOrOff,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    { usual: 'info', about: 'The least grave log lines to write.' },
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  logAddresses: setting(
    'LOG_ADDRESSES',
    {
      usual: 'network',
      about:
        'What the log holds of a client: its full address, its network (/24 of IPv4, /64 of IPv6) or none.',
    },
    oneOf('full', 'network', 'none'),
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    {
      about:
        'What GET /metrics is asked for with, as a bearer token; unset: it is answered to this machine alone.',
      secret: true,
    },
    textOf(16, 1024),
  ),
  linksField: setting(
    'LINKS_FIELD',
    { usual: '_links', about: 'The name of the field that holds the links of a resource.' },
    oneOf('_links', 'links'),
  ),
  defaultApiVersion: setting(
    'DEFAULT_API_VERSION',
    { usual: '1', about: 'The version of the API that serves requests which name none.' },
    wholeNumber(1, 2),
  ),
  errorShape: setting(
    'ERROR_SHAPE',
    { usual: 'standard', about: 'The shape of error bodies where the client asks for none.' },
    oneOf('standard', 'simple'),
  ),
  eraseGraceDays: setting(
    'ERASE_GRACE_DAYS',
    { usual: '7', about: 'For how many days users who leave can come back; 0 erases at once.' },
    wholeNumber(0, 365),
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    { usual: '400', about: 'For how many days the audit trail is kept.' },
    wholeNumber(1, 3650),
  ),
  paymentProviderUrl: optional(
    'PAYMENT_PROVIDER_URL',
    { about: 'The payment provider; unset: the built-in sandbox, which moves no money.' },
    origin,
  ),
  paymentProviderSecret: optional(
    'PAYMENT_PROVIDER_SECRET',
    {
      about: 'What is shared with the payment provider; unset: made for the sandbox.',
      secret: true,
    },
    secretOf(16, 1024, 20),
  ),
  paymentTimeoutMs: setting(
    'PAYMENT_TIMEOUT_MS',
    { usual: '3000', about: 'How long the payment provider may take to answer, in milliseconds.' },
    wholeNumber(1, 60_000),
  ),
}
