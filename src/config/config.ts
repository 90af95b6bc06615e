import { isLoopbackName } from '#values/loopback-name.ts'
import { type DatabaseAddress, databaseDirectUrl, databaseUrl } from './database-url.ts'
import { allSettings } from './environment.ts'
import { estimateBits, minKeyBits } from './estimated-bits.ts'
import type { FilesAddress } from './file-settings.ts'
import { isReachableByOthers } from './reachable.ts'
import { sandboxSettings } from './sandbox-settings.ts'
import { formatExample, type ReadSettings, type Rule, readSettings } from './setting.ts'
import { settings } from './settings.ts'

/** True for a URL whose requests nobody on the network can read. */
function isSecret(text: string | undefined): boolean {
  const url = URL.parse(text ?? '')
  return url !== null && (url.protocol === 'https:' || isLoopbackName(url.hostname))
}

const commonRules: readonly Rule<typeof settings>[] = [
  {
    keys: ['database', 'secretKey'],
    mistake: (read) =>
      read.database.kind === 'postgres' && read.secretKey === undefined
        ? 'SECRET_KEY is required with PostgreSQL: at least 32 characters, such as the output of `openssl rand -base64 32`'
        : undefined,
  },
  {
    keys: ['secretKey', 'secretKeyPrevious'],
    mistake: ({ secretKey, secretKeyPrevious }) =>
      secretKey !== undefined && secretKeyPrevious.includes(secretKey)
        ? 'SECRET_KEY_PREVIOUS must not contain SECRET_KEY'
        : undefined,
  },
  {
    keys: ['database', 'databaseDirect', 'databaseReplica'],
    mistake: ({ database, databaseDirect, databaseReplica }) =>
      database.kind === 'sqlite' && (databaseDirect ?? databaseReplica) !== undefined
        ? `${databaseDirect ? 'DATABASE_DIRECT_URL' : 'DATABASE_REPLICA_URL'} must not be set with SQLite`
        : undefined,
  },
  {
    keys: ['database', 'workers'],
    mistake: (read) =>
      read.database.kind === 'sqlite' && read.workers > 1
        ? 'WORKERS must be 1 with SQLite: more than one process requires PostgreSQL'
        : undefined,
  },
  {
    keys: ['files', 'awsAccessKeyId', 'awsSecretAccessKey'],
    mistake: ({ files, awsAccessKeyId, awsSecretAccessKey }) =>
      files?.kind === 's3' && (awsAccessKeyId === undefined || awsSecretAccessKey === undefined)
        ? 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required with FILES_URL=s3://…'
        : undefined,
  },
  {
    keys: ['cacheTags', 'cachePurgeUrl'],
    mistake: ({ cacheTags, cachePurgeUrl }) =>
      cachePurgeUrl !== undefined && cacheTags === 'off'
        ? 'CACHE_TAGS is required with CACHE_PURGE_URL: cache-tag or surrogate-key'
        : undefined,
  },
  {
    keys: ['cachePurgeUrl', 'cachePurgeToken'],
    mistake: ({ cachePurgeUrl, cachePurgeToken }) =>
      cachePurgeToken !== undefined && !isSecret(cachePurgeUrl)
        ? 'CACHE_PURGE_TOKEN needs a CACHE_PURGE_URL of https, or of this machine'
        : undefined,
  },
  {
    keys: ['tlsCert', 'tlsKey'],
    mistake: ({ tlsCert, tlsKey }) =>
      (tlsCert === undefined) === (tlsKey === undefined)
        ? undefined
        : `${tlsCert === undefined ? 'TLS_CERT' : 'TLS_KEY'} is missing: HTTPS requires both TLS_CERT and TLS_KEY`,
  },
  {
    keys: ['tlsCert', 'tlsPort', 'port'],
    mistake: ({ tlsCert, tlsPort, port }) =>
      tlsCert !== undefined && tlsPort === port && port !== 0
        ? 'TLS_PORT must differ from PORT'
        : undefined,
  },
  {
    keys: ['host', 'tlsCert', 'trustProxy', 'plainHttp'],
    mistake: ({ host, tlsCert, trustProxy, plainHttp }) =>
      isLoopbackName(host) || (tlsCert ?? trustProxy ?? plainHttp) !== undefined
        ? undefined
        : `HOST ${host} accepts connections from other machines: set TLS_CERT and TLS_KEY, or TRUST_PROXY behind a proxy that terminates TLS, or PLAIN_HTTP`,
  },
  {
    keys: ['trustProxy', 'baseUrl'],
    mistake: ({ trustProxy, baseUrl }) =>
      trustProxy !== undefined && baseUrl === undefined
        ? 'BASE_URL is required with TRUST_PROXY: the public URL of the server, such as https://shop.example.com'
        : undefined,
  },
  {
    keys: ['nodeEnv', 'paymentProvider', 'paymentProviderUrl'],
    mistake: ({ nodeEnv, paymentProvider, paymentProviderUrl }) =>
      nodeEnv === 'production' && (paymentProvider ?? paymentProviderUrl) === undefined
        ? 'PAYMENT_PROVIDER is required with NODE_ENV=production: stripe, http, or sandbox, which moves no money'
        : undefined,
  },
  {
    keys: ['host', 'baseUrl', 'trustProxy', 'paymentProvider', 'paymentProviderUrl'],
    mistake: ({ paymentProvider, paymentProviderUrl, ...read }) =>
      isReachableByOthers(read) && (paymentProvider ?? paymentProviderUrl) === undefined
        ? 'PAYMENT_PROVIDER is required on a server that others reach (by HOST, BASE_URL or TRUST_PROXY): stripe, http, or sandbox, which moves no money'
        : undefined,
  },
  {
    keys: ['paymentProvider', 'paymentProviderUrl'],
    mistake: ({ paymentProvider: provider = 'http', paymentProviderUrl }) =>
      provider !== 'http' && paymentProviderUrl !== undefined
        ? `PAYMENT_PROVIDER_URL must not be set with PAYMENT_PROVIDER=${provider}`
        : undefined,
  },
  {
    keys: ['paymentProvider', 'paymentProviderUrl'],
    mistake: ({ paymentProvider, paymentProviderUrl }) =>
      paymentProvider === 'http' && paymentProviderUrl === undefined
        ? 'PAYMENT_PROVIDER_URL is required with PAYMENT_PROVIDER=http'
        : undefined,
  },
  {
    keys: ['paymentProvider', 'stripeSecretKey'],
    mistake: ({ paymentProvider, stripeSecretKey }) =>
      paymentProvider === 'stripe' && stripeSecretKey === undefined
        ? 'STRIPE_SECRET_KEY is required with PAYMENT_PROVIDER=stripe'
        : undefined,
  },
  {
    keys: ['paymentProvider', 'stripeWebhookSecret'],
    mistake: ({ paymentProvider, stripeWebhookSecret }) =>
      paymentProvider === 'stripe' && stripeWebhookSecret === undefined
        ? 'STRIPE_WEBHOOK_SECRET is required with PAYMENT_PROVIDER=stripe'
        : undefined,
  },
  {
    keys: ['paymentProviderUrl', 'paymentProviderSecret'],
    mistake: (read) =>
      read.paymentProviderUrl !== undefined && read.paymentProviderSecret === undefined
        ? 'PAYMENT_PROVIDER_SECRET is required with PAYMENT_PROVIDER_URL'
        : undefined,
  },
]

/** The rules for a server. `rotate-keys` skips the last one, since it replaces guessable keys. */
const serverRules: readonly Rule<typeof settings>[] = [
  ...commonRules,
  {
    keys: ['secretKeyPrevious'],
    mistake: ({ secretKeyPrevious }) =>
      secretKeyPrevious.some((key) => estimateBits(key) < minKeyBits)
        ? 'SECRET_KEY_PREVIOUS must contain only keys that are hard to guess: run `npm run rotate-keys`, then remove the weak key'
        : undefined,
  },
]

/** The settings of a process. */
export type Config = Omit<
  ReadSettings<typeof settings>,
  'demoData' | 'digest' | 'plainHttp' | 'paymentProvider'
> & {
  readonly demoData: boolean
  readonly digest: NonNullable<ReadSettings<typeof settings>['digest']>
  readonly paymentProvider: NonNullable<ReadSettings<typeof settings>['paymentProvider']>
  readonly plainHttp: 'loopback' | 'redirect' | 'allow'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the frozen settings of a server. Throws a ConfigError with one line per mistake. */
export const readConfig = (env: Environment): Config => readWithRules(serverRules, env)

/** As `readConfig`, but SECRET_KEY_PREVIOUS may contain guessable keys. */
export const readRotationConfig = (env: Environment): Config => readWithRules(commonRules, env)

function readWithRules(rules: readonly Rule<typeof settings>[], env: Environment): Config {
  const read = readSettings(settings, rules, env)
  const demoData = read.demoData ?? read.database.kind === 'sqlite'
  const { plainHttp = 'loopback', paymentProviderUrl } = read
  const { digest = isReachableByOthers(read) ? 'off' : 'on' } = read
  const { paymentProvider = paymentProviderUrl === undefined ? 'sandbox' : 'http' } = read
  return Object.freeze({ ...read, demoData, digest, plainHttp, paymentProvider })
}

/** Reads the database alone, by its direct address if it has one. Throws a ConfigError. */
export const readDatabaseAddress = (env: Environment): DatabaseAddress =>
  readBackupConfig(env).database

/** Reads the database, by its direct address if it has one, and FILES_URL. Throws a ConfigError. */
export function readBackupConfig(env: Environment): {
  readonly database: DatabaseAddress
  readonly files: FilesAddress | undefined
} {
  const wanted = { databaseUrl, databaseDirectUrl, files: settings.files }
  const { files, ...read } = readSettings(wanted, [], env)
  return { database: read.databaseDirectUrl ?? read.databaseUrl, files }
}

/** Reads DATABASE_URL and CURRENCY only. Throws a ConfigError. */
export const readSeedConfig = (
  env: Environment,
): {
  readonly database: DatabaseAddress
  readonly currency: string
  readonly orderPrefix: string | undefined
} => {
  const { database, currency, orderPrefix } = settings
  return readSettings({ database, currency, orderPrefix }, [], env)
}

/** Reads the settings of `npm run sandbox`. Throws a ConfigError. */
export const readSandboxConfig = (env: Environment): ReadSettings<typeof sandboxSettings> =>
  readSettings(sandboxSettings, [], env)

/** Returns the text of `.env.example`. */
export const formatEnvExample = (): string => formatExample(allSettings)
