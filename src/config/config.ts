import { type DatabaseAddress, databaseUrl } from './database-url.ts'
import { estimateBits, minKeyBits } from './estimated-bits.ts'
import { formatExample, type ReadSettings, type Rule, readSettings } from './setting.ts'
import { settings } from './settings.ts'

/** True for a loopback address and for `localhost`. */
const isLoopbackName = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(host)

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
    keys: ['database', 'workers'],
    mistake: (read) =>
      read.database.kind === 'sqlite' && read.workers > 1
        ? 'WORKERS must be 1 with SQLite: more than one process requires PostgreSQL'
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
    keys: ['paymentProviderUrl', 'paymentProviderSecret'],
    mistake: (read) =>
      read.paymentProviderUrl !== undefined && read.paymentProviderSecret === undefined
        ? 'PAYMENT_PROVIDER_SECRET is required with PAYMENT_PROVIDER_URL'
        : undefined,
  },
]

/** The rules for a server. `rotate-keys` must still read guessable keys to replace them, so it skips the last one. */
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
export type Config = Omit<ReadSettings<typeof settings>, 'demoData' | 'plainHttp'> & {
  readonly demoData: boolean
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
  return Object.freeze({ ...read, demoData, plainHttp: read.plainHttp ?? 'loopback' })
}

/** Reads DATABASE_URL only. Throws a ConfigError. */
export const readDatabaseAddress = (env: Environment): DatabaseAddress =>
  readSettings({ databaseUrl }, [], env).databaseUrl

/** Reads DATABASE_URL and CURRENCY only. Throws a ConfigError. */
export const readSeedConfig = (
  env: Environment,
): { readonly database: DatabaseAddress; readonly currency: string } =>
  readSettings({ database: settings.database, currency: settings.currency }, [], env)

/** Returns the text of `.env.example`. */
export const formatEnvExample = (): string => formatExample(settings)

/** Loads `.env` of the working directory, if present; variables that are already set are kept. */
export function loadEnvironmentFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
