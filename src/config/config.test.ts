import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import {
  type Config,
  formatEnvExample,
  readConfig,
  readDatabaseAddress,
  readRotationConfig,
} from './config.ts'
import { ConfigError } from './setting.ts'

const key = 'JoBG8vXkHv0YyC2mYkG8yR5l0Wq3uQzr'
const postgres = 'postgres://shop:hidden@127.0.0.1:5432/shop'

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.mistakes
  }
}

describe('settings', () => {
  test('without any variable: SQLite file with demo data', () => {
    const file = resolve('data/cartwright.db')
    assert.deepEqual(readConfig({}), {
      port: 3000,
      host: '127.0.0.1',
      database: { kind: 'sqlite', url: `sqlite:${file}`, file },
      baseUrl: undefined,
      secretKey: undefined,
      secretKeyPrevious: [],
      adminUsername: 'admin',
      digest: 'on',
      adminPassword: undefined,
      catalogueMemoryMb: 32,
      corsOrigins: [],
      trustProxy: undefined,
      plainHttp: 'loopback',
      demoData: true,
      currency: 'USD',
      redisUrl: undefined,
      rateLimit: { limit: 100, windowMs: 60_000 },
      metricsToken: undefined,
      loginLimit: { limit: 10, windowMs: 60_000 },
      rateLimitAlgorithm: 'sliding-window',
      workers: 1,
      requireIfMatch: false,
      tlsCert: undefined,
      tlsKey: undefined,
      tlsPort: 3443,
      logLevel: 'info',
      logAddresses: 'network',
      linksField: '_links',
      defaultApiVersion: 1,
      errorShape: 'standard',
      paymentProviderUrl: undefined,
      paymentProviderSecret: undefined,
      eraseGraceDays: 7,
      auditRetentionDays: 400,
      paymentTimeoutMs: 3000,
    } satisfies Config)
  })

  test('the config is frozen', () => {
    const config = readConfig({}) as { port: number }
    assert.throws(() => {
      config.port = 1
    }, TypeError)
  })

  const valid: readonly (readonly [Record<string, string>, Partial<Config>])[] = [
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '' }, { port: 3000 }],
    [{ HOST: '0.0.0.0', PLAIN_HTTP: 'loopback' }, { plainHttp: 'loopback' }],
    [{ HOST: '0.0.0.0', PLAIN_HTTP: 'allow' }, { plainHttp: 'allow' }],
    [{ HOST: '::', TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }, { plainHttp: 'loopback' }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: '127.1.2.3' }, { host: '127.1.2.3' }],
    [
      { HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.5', BASE_URL: 'https://shop.example.com' },
      { trustProxy: ['10.0.0.5'] },
    ],
    [{ DATABASE_URL: 'sqlite::memory:' }, { database: { kind: 'sqlite', url: 'sqlite::memory:' } }],
    [
      { DATABASE_URL: postgres, SECRET_KEY: key, WORKERS: '4' },
      { database: { kind: 'postgres', url: postgres }, workers: 4, demoData: false },
    ],
    [{ DATABASE_URL: postgres, SECRET_KEY: key, DEMO_DATA: 'on' }, { demoData: true }],
    [{ DEMO_DATA: 'off' }, { demoData: false }],
    [{ SECRET_KEY_PREVIOUS: `${key}, ${key}2` }, { secretKeyPrevious: [key, `${key}2`] }],
    [{ REQUIRE_IF_MATCH: 'on' }, { requireIfMatch: true }],
    [{ BASE_URL: 'https://shop.example.com/' }, { baseUrl: 'https://shop.example.com' }],
    [{ CURRENCY: 'JPY' }, { currency: 'JPY' }],
    [{ REDIS_URL: 'redis://127.0.0.1:6379/2' }, { redisUrl: 'redis://127.0.0.1:6379/2' }],
    [{ RATE_LIMIT: 'off' }, { rateLimit: 'off' }],
    [{ LOGIN_LIMIT: 'off' }, { loginLimit: 'off' }],
    [{ LOGIN_LIMIT: '5/2s' }, { loginLimit: { limit: 5, windowMs: 2000 } }],
    [{ RATE_LIMIT: '5/2s' }, { rateLimit: { limit: 5, windowMs: 2000 } }],
    [{ RATE_LIMIT: '1000/1h' }, { rateLimit: { limit: 1000, windowMs: 3_600_000 } }],
    [{ RATE_LIMIT_ALGORITHM: 'leaky-bucket' }, { rateLimitAlgorithm: 'leaky-bucket' }],
    [
      { LINKS_FIELD: 'links', ERROR_SHAPE: 'simple' },
      { linksField: 'links', errorShape: 'simple' },
    ],
  ]
  for (const [env, expected] of valid) {
    test(`${JSON.stringify(env)} is accepted`, () => {
      assert.partialDeepStrictEqual(readConfig(env), expected)
    })
  }

  const invalid: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"$/],
    [{ PORT: '65536' }, /^PORT /],
    [{ PORT: '-1' }, /^PORT /],
    [{ PORT: '1e3' }, /^PORT /],
    [{ HOST: 'two words' }, /^HOST /],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL must be sqlite:PATH/],
    [{ DATABASE_URL: 'sqlite:' }, /^DATABASE_URL /],
    [{ DATABASE_URL: 'postgres://' }, /^(DATABASE_URL|SECRET_KEY) /],
    [{ DATABASE_URL: postgres }, /^SECRET_KEY is required with PostgreSQL/],
    [
      { SECRET_KEY: 'short' },
      /^SECRET_KEY must be 32 to 1024 characters long and hard to guess, such as the output of `openssl rand -base64 32`$/,
    ],
    [{ SECRET_KEY: 'k'.repeat(32) }, /^SECRET_KEY must be .* hard to guess/],
    [{ SECRET_KEY: 'changeme'.repeat(4) }, /^SECRET_KEY must be .* hard to guess/],
    [{ SECRET_KEY: '0123456789'.repeat(4) }, /^SECRET_KEY must be .* hard to guess/],
    [
      { SECRET_KEY_PREVIOUS: `${key},${'k'.repeat(32)}` },
      /^SECRET_KEY_PREVIOUS must contain only keys that are hard to guess: run `npm run rotate-keys`/,
    ],
    [
      { PAYMENT_PROVIDER_SECRET: 'changemechangeme' },
      /^PAYMENT_PROVIDER_SECRET must be 16 to 1024 characters long and hard to guess/,
    ],
    [
      { SECRET_KEY_PREVIOUS: `${key},short` },
      /^SECRET_KEY_PREVIOUS must be none, or keys of 32 to 1024 characters separated by commas$/,
    ],
    [
      { SECRET_KEY: key, SECRET_KEY_PREVIOUS: key },
      /^SECRET_KEY_PREVIOUS must not contain SECRET_KEY$/,
    ],
    [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD must be 8 to 256 characters long$/],
    [{ BASE_URL: 'shop.example.com' }, /^BASE_URL /],
    [{ BASE_URL: 'ftp://shop.example.com' }, /^BASE_URL /],
    [{ BASE_URL: 'https://shop.example.com/api' }, /^BASE_URL /],
    [{ BASE_URL: 'https://shop.example.com/?x' }, /^BASE_URL /],
    [{ DEMO_DATA: 'yes' }, /^DEMO_DATA must be on or off, not "yes"$/],
    [{ CURRENCY: 'usd' }, /^CURRENCY /],
    [{ CURRENCY: 'XYZ' }, /^CURRENCY /],
    [{ REDIS_URL: 'http://127.0.0.1:6379' }, /^REDIS_URL must be redis:/],
    [{ REDIS_URL: 'redis://' }, /^REDIS_URL /],
    [{ RATE_LIMIT: '100' }, /^RATE_LIMIT must be REQUESTS\/TIME, such as 100\/60s/],
    [{ LOGIN_LIMIT: 'none' }, /^LOGIN_LIMIT must be REQUESTS\/TIME, such as 100\/60s/],
    [{ RATE_LIMIT: '0/60s' }, /^RATE_LIMIT /],
    [{ RATE_LIMIT: '100/0s' }, /^RATE_LIMIT /],
    [{ RATE_LIMIT: '100/2h' }, /^RATE_LIMIT /],
    [{ RATE_LIMIT: '100/60' }, /^RATE_LIMIT /],
    [{ RATE_LIMIT: 'on' }, /^RATE_LIMIT /],
    [{ RATE_LIMIT_ALGORITHM: 'dice' }, /^RATE_LIMIT_ALGORITHM must be one of: sliding-window/],
    [{ WORKERS: '0' }, /^WORKERS /],
    [{ WORKERS: '2' }, /^WORKERS must be 1 with SQLite/],
    [{ LOG_ADDRESSES: 'some' }, /^LOG_ADDRESSES must be one of: full, network, none/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of: fatal, error/],
    [{ LINKS_FIELD: 'hrefs' }, /^LINKS_FIELD /],
    [{ ERROR_SHAPE: 'fancy' }, /^ERROR_SHAPE /],
    [{ TLS_CERT: 'a.pem' }, /^TLS_KEY is missing: HTTPS requires both TLS_CERT and TLS_KEY$/],
    [{ TLS_KEY: 'a.pem' }, /^TLS_CERT is missing: /],
    [{ TLS_CERT: 'a', TLS_KEY: 'b', TLS_PORT: '3000' }, /^TLS_PORT must differ from PORT$/],
    [
      { HOST: '0.0.0.0' },
      /^HOST 0\.0\.0\.0 accepts connections from other machines: set TLS_CERT and TLS_KEY, or TRUST_PROXY/,
    ],
    [{ HOST: '::' }, /^HOST :: accepts connections/],
    [{ HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 accepts connections/],
    [{ HOST: '127.0.0.1.example' }, /^HOST 127\.0\.0\.1\.example accepts connections/],
    [{ TRUST_PROXY: 'loopback' }, /^BASE_URL is required with TRUST_PROXY: /],
    [{ PLAIN_HTTP: 'off' }, /^PLAIN_HTTP must be one of: loopback, redirect, allow, not "off"$/],
    [{ PAYMENT_PROVIDER_URL: 'https://pay.example.com' }, /^PAYMENT_PROVIDER_SECRET is required/],
    [{ PAYMENT_TIMEOUT_MS: '0' }, /^PAYMENT_TIMEOUT_MS /],
  ]
  for (const [env, line] of invalid) {
    test(`${JSON.stringify(env)} is rejected with one line`, () => {
      const mistakes = mistakesOf(env)
      assert.equal(mistakes.length, 1, mistakes.join('\n'))
      assert.match(mistakes[0] ?? '', line)
    })
  }

  test('all mistakes are reported at once', () => {
    const mistakes = mistakesOf({ PORT: 'x', CURRENCY: 'x', LOG_LEVEL: 'x', SECRET_KEY: 'x' })
    assert.deepEqual(
      mistakes.map((line) => line.split(' ')[0]),
      ['PORT', 'SECRET_KEY', 'CURRENCY', 'LOG_LEVEL'],
    )
  })

  test('invalid secrets are not shown', () => {
    const env = {
      DATABASE_URL: 'mysql://shop:hidden@localhost/x',
      SECRET_KEY: 'hidden',
      SECRET_KEY_PREVIOUS: 'hidden',
      ADMIN_PASSWORD: 'hidden',
      PAYMENT_PROVIDER_SECRET: 'hidden',
    }
    const mistakes = mistakesOf(env)
    assert.equal(mistakes.length, 5)
    assert.doesNotMatch(mistakes.join('\n'), /hidden/)
  })

  test('a guessable previous key is accepted for key rotation only', () => {
    const env = { SECRET_KEY: key, SECRET_KEY_PREVIOUS: 'k'.repeat(32) }
    assert.deepEqual(readRotationConfig(env).secretKeyPrevious, ['k'.repeat(32)])
    assert.equal(mistakesOf(env).length, 1)
  })

  test('a migration reads DATABASE_URL only', () => {
    assert.equal(readDatabaseAddress({ DATABASE_URL: postgres, PORT: 'x' }).url, postgres)
    assert.throws(() => readDatabaseAddress({ DATABASE_URL: 'x' }), ConfigError)
  })

  test('.env.example is up to date (`npm run generate` writes it)', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    assert.equal(example, formatEnvExample())
  })
})
