import { cacheSettings } from './cache-settings.ts'
import { databaseDirectUrl, databaseReplicaUrl, databaseUrl } from './database-url.ts'
import { eventSettings } from './event-settings.ts'
import { fileSettings } from './file-settings.ts'
import { httpsSettings } from './https-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { paymentSettings } from './payment-settings.ts'
import {
  allowance,
  day,
  fraction,
  httpUrl,
  networks,
  oneOf,
  onOrOff,
  optional,
  origin,
  origins,
  secretKey,
  secretKeys,
  setting,
  textOfLength,
  wholeNumber,
} from './setting.ts'
import { shopSettings } from './shop-settings.ts'

/** All settings; `.env.example` is generated from this list. */
export const settings = {
  port: setting(
    'PORT',
    { defaultText: '3000', description: 'The port for plain HTTP; 0 chooses a free port.' },
    wholeNumber(0, 65_535),
  ),
  host: setting(
    'HOST',
    {
      defaultText: '127.0.0.1',
      description: 'The address to listen on; 0.0.0.0 or :: listens on all addresses.',
    },
    {
      expected: 'an IP address or a host name of this machine',
      parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
    },
  ),
  database: databaseUrl,
  databaseDirect: databaseDirectUrl,
  databaseReplica: databaseReplicaUrl,
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    {
      defaultText: '5000',
      description:
        'How long a request may wait in all for the database, Redis, the bucket, the payment provider and its turn, in milliseconds; then it answers 503. Uploads, exports and event streams may take longer once they have begun.',
    },
    wholeNumber(500, 600_000),
  ),
  databasePool: setting(
    'DATABASE_POOL',
    {
      defaultText: '10',
      description:
        'The number of PostgreSQL connections for the statements of a process; two more carry notifications.',
    },
    wholeNumber(2, 1000),
  ),
  baseUrl: optional(
    'BASE_URL',
    {
      description:
        'The public URL of the server. Default: http://localhost:PORT, or https://localhost:TLS_PORT with TLS_CERT.',
    },
    origin,
  ),
  secretKey: optional(
    'SECRET_KEY',
    {
      description:
        'The key that signs tokens and encrypts secrets. Required with PostgreSQL. Default with SQLite: generated once and stored beside the database file.',
      secret: true,
    },
    secretKey,
  ),
  secretKeyPrevious: setting(
    'SECRET_KEY_PREVIOUS',
    {
      defaultText: 'none',
      description:
        'Previous values of SECRET_KEY. Tokens and secrets made with them stay valid while the key is replaced.',
      secret: true,
    },
    secretKeys,
  ),
  adminUsername: setting(
    'ADMIN_USERNAME',
    {
      defaultText: 'admin',
      description: 'The username of the administrator that the first start creates.',
    },
    textOfLength(1, 200),
  ),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    {
      description:
        'The password of the administrator that the first start creates. Default: generated and printed once.',
      secret: true,
    },
    textOfLength(8, 256),
  ),
  digest: optional(
    'DIGEST',
    {
      description:
        'Digest authentication (RFC 7616): SHA-256 and MD5 (on), SHA-256 only (sha-256) or disabled (off). Digest needs a fast hash of every password, stored encrypted with SECRET_KEY; stored hashes of disabled algorithms are deleted. Default: on where only this machine reaches the server (HOST and BASE_URL are loopback, no TRUST_PROXY), else off.',
    },
    oneOf('on', 'sha-256', 'off'),
  ),
  ...shopSettings,
  redisUrl: optional(
    'REDIS_URL',
    {
      description:
        'The Redis server that counts requests for rate limits across processes. Default: each process counts in its own memory.',
      secret: true,
    },
    {
      expected: 'redis://USER:PASSWORD@HOST:PORT/NUMBER, or rediss:// for TLS',
      parse: (text) => (/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined),
    },
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    {
      defaultText: '100/60s',
      description:
        'The number of requests that each caller may send to each endpoint; an API key may have its own (rate_limit). off disables all rate limits except LOGIN_LIMIT.',
    },
    allowance,
  ),
  loginLimit: setting(
    'LOGIN_LIMIT',
    {
      defaultText: '10/60s',
      description:
        'The number of sign-in attempts with one username from one network. Failed attempts are also limited to five times this number per network, and to ten times this number per hour and account. off disables all three limits.',
    },
    allowance,
  ),
  rateLimitAlgorithm: setting(
    'RATE_LIMIT_ALGORITHM',
    { defaultText: 'sliding-window', description: 'The rate limit algorithm.' },
    oneOf('sliding-window', 'fixed-window', 'token-bucket', 'leaky-bucket'),
  ),
  unpaidOrders: setting(
    'UNPAID_ORDERS',
    {
      defaultText: '20',
      description:
        'The number of orders of one user that may wait for payment; those of one network are limited to 50. RATE_LIMIT=off disables both limits.',
    },
    wholeNumber(1, 10_000),
  ),
  unpaidStockShare: setting(
    'UNPAID_STOCK_SHARE',
    {
      defaultText: '0.25',
      description:
        'The share of the pieces of a product, from 0 to 1, that the unpaid orders of one network may hold for certain; at least 5 pieces. What they hold beyond goes to an order of another network that needs it.',
    },
    fraction,
  ),
  workers: setting(
    'WORKERS',
    {
      defaultText: '1',
      description: 'The number of worker processes; more than one requires PostgreSQL.',
    },
    wholeNumber(1, 256),
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    {
      defaultText: 'none',
      description: 'The web origins that may use the API from a browser (CORS).',
    },
    origins,
  ),
  ...httpsSettings,
  catalogueMemoryMb: setting(
    'CATALOGUE_MEMORY_MB',
    {
      defaultText: '32',
      description: 'The size of the response cache for the catalogue, in MiB; 0 disables it.',
    },
    // Half of the heap that the start scripts allow.
    wholeNumber(0, 512),
  ),
  ...cacheSettings,
  requireIfMatch: setting(
    'REQUIRE_IF_MATCH',
    {
      defaultText: 'off',
      description: 'Whether PUT, PATCH and DELETE require If-Match; without it they answer 428.',
    },
    onOrOff,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    { defaultText: 'info', description: 'The lowest level of log lines that are written.' },
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  logAddresses: setting(
    'LOG_ADDRESSES',
    {
      defaultText: 'network',
      description:
        'The part of client addresses that is logged: the full address, the network (/24 for IPv4, /64 for IPv6) or none.',
    },
    oneOf('full', 'network', 'none'),
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    {
      description:
        'The bearer token that GET /metrics requires. Default: only this machine may read the metrics.',
      secret: true,
    },
    textOfLength(16, 1024),
  ),
  console: setting(
    'CONSOLE',
    { defaultText: 'on', description: 'Whether /console serves the console of the shop.' },
    onOrOff,
  ),
  linksField: setting(
    'LINKS_FIELD',
    {
      defaultText: '_links',
      description: 'The name of the JSON field with the links of a resource.',
    },
    oneOf('_links', 'links'),
  ),
  defaultApiVersion: setting(
    'DEFAULT_API_VERSION',
    { defaultText: '1', description: 'The API version of requests that do not name one.' },
    wholeNumber(1, 2),
  ),
  sunsetV1: optional(
    'SUNSET_V1',
    {
      description:
        'The day from which version 1 of the API may no longer be served. Its responses then carry Deprecation and Sunset. Default: version 1 is as current as version 2.',
    },
    day,
  ),
  errorShape: setting(
    'ERROR_SHAPE',
    {
      defaultText: 'standard',
      description: 'The shape of error bodies when the client does not choose one.',
    },
    oneOf('standard', 'simple'),
  ),
  eraseGraceDays: setting(
    'ERASE_GRACE_DAYS',
    {
      defaultText: '7',
      description:
        'The number of days in which users can cancel the erasure of their account; 0 erases at once.',
    },
    wholeNumber(0, 365),
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    { defaultText: '400', description: 'The number of days that audit events are kept.' },
    wholeNumber(1, 3650),
  ),
  ...eventSettings,
  tracesEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    {
      description:
        'The URL of an OpenTelemetry collector that takes OTLP over http/protobuf, such as http://127.0.0.1:4318. Default: no traces. The other OTEL_* variables of OpenTelemetry are obeyed too.',
    },
    httpUrl,
  ),
  ...fileSettings,
  ...mailSettings,
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    {
      defaultText: 'none',
      description:
        'The private networks to which webhooks may be sent, also over plain HTTP. Elsewhere a webhook needs HTTPS and a public address.',
    },
    networks,
  ),
  ...paymentSettings,
}
