import { estimateBits, minKeyBits } from './estimated-bits.ts'
import { exampleOf, type ReadSettings, type Rule, readSettings } from './setting.ts'
import { type DatabaseAddress, databaseUrl, settings } from './settings.ts'

/** True for an address, or the name, by which a machine reaches itself alone. */
const isLoopbackName = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(host)

const rules: readonly Rule<typeof settings>[] = [
  {
    concerns: ['database', 'secretKey'],
    mistake: (read) =>
      read.database.kind === 'postgres' && read.secretKey === undefined
        ? 'SECRET_KEY is required with PostgreSQL: 32 characters or more, such as `openssl rand -base64 32` prints'
        : undefined,
  },
  {
    concerns: ['secretKey', 'secretKeyPrevious'],
    mistake: ({ secretKey, secretKeyPrevious }) =>
      secretKey !== undefined && secretKeyPrevious.includes(secretKey)
        ? 'SECRET_KEY_PREVIOUS must hold other keys than SECRET_KEY'
        : undefined,
  },
  {
    concerns: ['database', 'workers'],
    mistake: (read) =>
      read.database.kind === 'sqlite' && read.workers > 1
        ? 'WORKERS must be 1 with SQLite: more processes need PostgreSQL'
        : undefined,
  },
  {
    concerns: ['tlsCert', 'tlsKey'],
    mistake: ({ tlsCert, tlsKey }) =>
      (tlsCert === undefined) === (tlsKey === undefined)
        ? undefined
        : `${tlsCert === undefined ? 'TLS_CERT' : 'TLS_KEY'} is missing: HTTPS needs both TLS_CERT and TLS_KEY`,
  },
  {
    concerns: ['tlsCert', 'tlsPort', 'port'],
    mistake: ({ tlsCert, tlsPort, port }) =>
      tlsCert !== undefined && tlsPort === port && port !== 0
        ? 'TLS_PORT must be another port than PORT'
        : undefined,
  },
  {
    concerns: ['host', 'tlsCert', 'trustProxy', 'plainHttp'],
    mistake: ({ host, tlsCert, trustProxy, plainHttp }) =>
      isLoopbackName(host) || (tlsCert ?? trustProxy ?? plainHttp) !== undefined
        ? undefined
        : `HOST ${host} is reached from other machines: set TLS_CERT and TLS_KEY, or TRUST_PROXY where a proxy ends TLS, or PLAIN_HTTP to say who is served over plain HTTP`,
  },
  {
    concerns: ['trustProxy', 'baseUrl'],
    mistake: ({ trustProxy, baseUrl }) =>
      trustProxy !== undefined && baseUrl === undefined
        ? 'BASE_URL is required with TRUST_PROXY: the address that clients use, such as https://shop.example.com'
        : undefined,
  },
  {
    concerns: ['paymentProviderUrl', 'paymentProviderSecret'],
    mistake: (read) =>
      read.paymentProviderUrl !== undefined && read.paymentProviderSecret === undefined
        ? 'PAYMENT_PROVIDER_SECRET is required with PAYMENT_PROVIDER_URL'
        : undefined,
  },
]

/** What a server is held to; whoever takes a key out of use has to be able to read with it. */
const servingRules: readonly Rule<typeof settings>[] = [
  ...rules,
  {
    concerns: ['secretKeyPrevious'],
    mistake: ({ secretKeyPrevious }) =>
      secretKeyPrevious.some((key) => estimateBits(key) < minKeyBits)
        ? 'SECRET_KEY_PREVIOUS must hold keys that cannot be guessed: run `npm run rotate-keys` and leave it out'
        : undefined,
  },
]

/** The settings of one process. */
export type Config = Omit<ReadSettings<typeof settings>, 'demoData' | 'plainHttp'> & {
  readonly demoData: boolean
  readonly plainHttp: 'loopback' | 'redirect' | 'allow'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings of a server, frozen; throws a ConfigError with one line per mistake. */
export const readConfig = (env: Environment): Config => readBy(servingRules, env)

/** The same for the replacement of keys, which may take the place of keys that can be guessed. */
export const readRotationConfig = (env: Environment): Config => readBy(rules, env)

function readBy(held: readonly Rule<typeof settings>[], env: Environment): Config {
  const read = readSettings(settings, held, env)
  const demoData = read.demoData ?? read.database.kind === 'sqlite'
  return Object.freeze({ ...read, demoData, plainHttp: read.plainHttp ?? 'loopback' })
}

/** Reads only where the data is, which is all that a migration needs; throws a ConfigError. */
export const readDatabaseAddress = (env: Environment): DatabaseAddress =>
  readSettings({ databaseUrl }, [], env).databaseUrl

/** Reads only what filling a database needs: where it is and its currency; throws a ConfigError. */
export const readShopAddress = (
  env: Environment,
): { readonly database: DatabaseAddress; readonly currency: string } =>
  readSettings({ database: settings.database, currency: settings.currency }, [], env)

/** The text of `.env.example`. */
export const exampleEnvironment = (): string => exampleOf(settings)

/** Adds what `.env` of this folder says to the environment, which wins; without one, nothing. */
export function loadEnvironmentFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
