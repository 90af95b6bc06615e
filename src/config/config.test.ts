import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import {
  type Config,
  formatEnvExample,
  readBackupConfig,
  readConfig,
  readRotationConfig,
} from './config.ts'
import { ConfigError } from './setting.ts'

const key = 'JoBG8vXkHv0YyC2mYkG8yR5l0Wq3uQzr'
const awsKeys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
const postgres = 'postgres://shop:hidden@127.0.0.1:5432/shop'

/** What a server that others reach needs. */
const named = { PAYMENT_PROVIDER: 'sandbox' }

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
      requestTimeoutMs: 5000,
      databasePool: 10,
      databaseDirect: undefined,
      databaseReplica: undefined,
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
      shopName: 'cartwright',
      productUrl: undefined,
      orderPrefix: undefined,
      returnDays: 14,
      smtpUrl: undefined,
      mailFrom: undefined,
      accountPagesUrl: undefined,
      demoData: true,
      currency: 'USD',
      pricesIncludeTax: true,
      timeZone: 'UTC',
      shopCountry: undefined,
      redisUrl: undefined,
      rateLimit: { limit: 100, windowMs: 60_000 },
      unpaidOrders: 20,
      unpaidStockShare: 0.25,
      metricsToken: undefined,
      loginLimit: { limit: 10, windowMs: 60_000 },
      rateLimitAlgorithm: 'sliding-window',
      workers: 1,
      requireIfMatch: false,
      cacheTags: 'off',
      cachePurgeUrl: undefined,
      cachePurgeToken: undefined,
      files: undefined,
      sharedDisk: false,
      awsAccessKeyId: undefined,
      awsSecretAccessKey: undefined,
      tlsCert: undefined,
      tlsKey: undefined,
      tlsPort: 3443,
      logLevel: 'info',
      logAddresses: 'network',
      linksField: '_links',
      defaultApiVersion: 1,
      sunsetV1: undefined,
      errorShape: 'standard',
      paymentProviderUrl: undefined,
      paymentProviderSecret: undefined,
      eraseGraceDays: 7,
      auditRetentionDays: 400,
      eventRetentionDays: 30,
      eventSinks: undefined,
      stripeSecretKey: undefined,
      stripeWebhookSecret: undefined,
      stripeApiBase: 'https://api.stripe.com',
      tracesEndpoint: undefined,
      webhookAllowedNetworks: [],
      console: true,
      paymentTimeoutMs: 3000,
      nodeEnv: undefined,
      paymentProvider: 'sandbox',
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
    ...[
      ['postgres://shop:p%40s@a:5433,b/shop', '?target_session_attrs=read-write'],
      ['postgres://a,b:1/shop?sslmode=require', '&target_session_attrs=read-write'],
      ['postgres://a,b/shop?target_session_attrs=primary', ''],
    ].map(([url = '', added = '']): readonly [Record<string, string>, Partial<Config>] => [
      { DATABASE_URL: url, SECRET_KEY: key },
      { database: { kind: 'postgres', url: url + added } },
    ]),
    [{ DEMO_DATA: 'off' }, { demoData: false }],
    [{ SECRET_KEY_PREVIOUS: `${key}, ${key}2` }, { secretKeyPrevious: [key, `${key}2`] }],
    [{ REQUIRE_IF_MATCH: 'on' }, { requireIfMatch: true }],
    [{ BASE_URL: 'https://shop.example.com/' }, { baseUrl: 'https://shop.example.com' }],
    [{ CURRENCY: 'JPY' }, { currency: 'JPY' }],
    [{ SHOP_TIME_ZONE: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin' }],
    [{ REDIS_URL: 'redis://127.0.0.1:6379/2' }, { redisUrl: 'redis://127.0.0.1:6379/2' }],
    [{ RATE_LIMIT: 'off' }, { rateLimit: 'off' }],
    [
      { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::1' },
      { webhookAllowedNetworks: ['10.0.0.0/8', 'fd00::1'] },
    ],
    [{ FILES_URL: 'file:/srv/files' }, { files: { kind: 'folder', folder: '/srv/files' } }],
    [
      { FILES_URL: 's3://shop/images?region=eu-central-1', ...awsKeys },
      {
        files: {
          kind: 's3',
          url: 'https://s3.eu-central-1.amazonaws.com/shop/images',
          region: 'eu-central-1',
        },
      },
    ],
    [
      { FILES_URL: 's3://shop?endpoint=http://127.0.0.1:9000/', ...awsKeys },
      { files: { kind: 's3', url: 'http://127.0.0.1:9000/shop', region: 'us-east-1' } },
    ],
    [{ LOGIN_LIMIT: 'off' }, { loginLimit: 'off' }],
    [{ LOGIN_LIMIT: '5/2s' }, { loginLimit: { limit: 5, windowMs: 2000 } }],
    [{ SUNSET_V1: '2030-01-31' }, { sunsetV1: Date.UTC(2030, 0, 31) }],
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
      assert.partialDeepStrictEqual(readConfig({ ...named, ...env }), expected)
    })
  }

  const invalid: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, not "http"$/],
    [{ PORT: '65536' }, /^PORT /],
    [{ WEBHOOK_ALLOWED_NETWORKS: 'loopback' }, /^WEBHOOK_ALLOWED_NETWORKS must be none, or IP /],
    [{ WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33' }, /^WEBHOOK_ALLOWED_NETWORKS /],
    [{ PORT: '-1' }, /^PORT /],
    [{ PORT: '1e3' }, /^PORT /],
    [{ HOST: 'two words' }, /^HOST /],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL must be sqlite:PATH/],
    [{ DATABASE_URL: 'sqlite:' }, /^DATABASE_URL /],
    [{ DATABASE_URL: 'postgres://' }, /^(DATABASE_URL|SECRET_KEY) /],
    [{ DATABASE_URL: 'postgres://a,b:x/shop', SECRET_KEY: key }, /^DATABASE_URL /],
    [
      { DATABASE_URL: 'postgres://a,b/shop?target_session_attrs=any', SECRET_KEY: key },
      /^DATABASE_URL must be .*the one that takes writes/,
    ],
    [
      { DATABASE_URL: postgres, SECRET_KEY: key, DATABASE_REPLICA_URL: 'postgres://a,b/shop' },
      /^DATABASE_REPLICA_URL /,
    ],
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
    [{ FILES_URL: 'data/files' }, /^FILES_URL must be file:PATH or s3:/],
    [{ FILES_URL: 's3://shop?endpoint=http://s3.example.com', ...awsKeys }, /^FILES_URL /],
    [{ FILES_URL: 's3://shop?other=1', ...awsKeys }, /^FILES_URL /],
    [{ FILES_URL: 's3://shop' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required/],
    [{ DEMO_DATA: 'yes' }, /^DEMO_DATA must be on or off, not "yes"$/],
    [{ CURRENCY: 'usd' }, /^CURRENCY /],
    [
      { SHOP_TIME_ZONE: 'Europe/Atlantis' },
      /^SHOP_TIME_ZONE must be a time zone of the IANA database, such as Europe\/Berlin, not "Europe\/Atlantis"$/,
    ],
    [{ SHOP_TIME_ZONE: '+01:00' }, /^SHOP_TIME_ZONE /],
    [{ CURRENCY: 'XYZ' }, /^CURRENCY /],
    [{ CURRENCY: 'XAU' }, /^CURRENCY must be the ISO 4217 code of a currency in use, such as USD/],
    [{ CURRENCY: 'CLF' }, /^CURRENCY /],
    [{ DATABASE_POOL: '1' }, /^DATABASE_POOL must be a whole number from 2 to 1000, not "1"$/],
    [{ SHOP_NAME: 'x'.repeat(101) }, /^SHOP_NAME must be 1 to 100 characters long/],
    [{ REDIS_URL: 'http://127.0.0.1:6379' }, /^REDIS_URL must be redis:/],
    [{ REDIS_URL: 'redis://' }, /^REDIS_URL /],
    [{ RATE_LIMIT: '100' }, /^RATE_LIMIT must be REQUESTS\/TIME, such as 100\/60s/],
    [{ LOGIN_LIMIT: 'none' }, /^LOGIN_LIMIT must be REQUESTS\/TIME, such as 100\/60s/],
    [{ RATE_LIMIT: '0/60s' }, /^RATE_LIMIT /],
    [{ SUNSET_V1: 'soon' }, /^SUNSET_V1 must be a date, such as 2030-01-31, not "soon"$/],
    [{ SUNSET_V1: '2030-02-30' }, /^SUNSET_V1 /],
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
    [{ CACHE_PURGE_URL: 'http://127.0.0.1/purge' }, /^CACHE_TAGS is required with CACHE_PURGE_URL/],
    [
      {
        CACHE_TAGS: 'surrogate-key',
        CACHE_PURGE_URL: 'http://cache.example.com/purge',
        CACHE_PURGE_TOKEN: 'token',
      },
      /^CACHE_PURGE_TOKEN needs a CACHE_PURGE_URL of https/,
    ],
    [
      {
        CACHE_TAGS: 'surrogate-key',
        CACHE_PURGE_URL: 'https://shop:secret@cache.example.com/purge',
      },
      /^CACHE_PURGE_URL must be an http or https URL without .*, not "https:\/\/\*\*\*@cache\.example\.com\/purge"$/,
    ],
    [{ BASE_URL: 'https://me:secret@shop.example.com' }, /, not "https:\/\/\*\*\*@shop/],
    [{ TLS_CERT: 'a.pem' }, /^TLS_KEY is missing: HTTPS requires both TLS_CERT and TLS_KEY$/],
    [{ TLS_KEY: 'a.pem' }, /^TLS_CERT is missing: /],
    [{ TLS_CERT: 'a', TLS_KEY: 'b', TLS_PORT: '3000' }, /^TLS_PORT must differ from PORT$/],
    [
      { HOST: '0.0.0.0', ...named },
      /^HOST 0\.0\.0\.0 accepts connections from other machines: set TLS_CERT and TLS_KEY, or TRUST_PROXY/,
    ],
    [{ HOST: '::', ...named }, /^HOST :: accepts connections/],
    [{ HOST: '192.0.2.1', ...named }, /^HOST 192\.0\.2\.1 accepts connections/],
    [{ HOST: '127.0.0.1.example', ...named }, /^HOST 127\.0\.0\.1\.example accepts connections/],
    [{ TRUST_PROXY: 'loopback', ...named }, /^BASE_URL is required with TRUST_PROXY: /],
    [{ PLAIN_HTTP: 'off' }, /^PLAIN_HTTP must be one of: loopback, redirect, allow, not "off"$/],
    [{ PAYMENT_PROVIDER_URL: 'https://pay.example.com' }, /^PAYMENT_PROVIDER_SECRET is required/],
    [{ PAYMENT_TIMEOUT_MS: '0' }, /^PAYMENT_TIMEOUT_MS /],
    [{ STRIPE_API_BASE: 'http://192.0.2.1' }, /^STRIPE_API_BASE must be an https URL/],
    [{ STRIPE_API_BASE: 'http://127.0.0.1.example' }, /^STRIPE_API_BASE must be an https URL/],
    [{ STRIPE_API_BASE: 'https://api.stripe.com/v1' }, /^STRIPE_API_BASE must be an https URL/],
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
      STRIPE_SECRET_KEY: 'pk_live_hidden',
      STRIPE_WEBHOOK_SECRET: 'we_hidden',
    }
    const mistakes = mistakesOf(env)
    assert.equal(mistakes.length, 7)
    assert.doesNotMatch(mistakes.join('\n'), /hidden/)
  })

  test('a guessable previous key is accepted for key rotation only', () => {
    const env = { SECRET_KEY: key, SECRET_KEY_PREVIOUS: 'k'.repeat(32) }
    assert.deepEqual(readRotationConfig(env).secretKeyPrevious, ['k'.repeat(32)])
    assert.equal(mistakesOf(env).length, 1)
  })

  test('a migration reads DATABASE_URL only', () => {
    assert.equal(readBackupConfig({ DATABASE_URL: postgres, PORT: 'x' }).database.url, postgres)
    assert.throws(() => readBackupConfig({ DATABASE_URL: 'x' }), ConfigError)
  })

  describe('of payments', () => {
    const url = { PAYMENT_PROVIDER_URL: 'https://pay.example.com', PAYMENT_PROVIDER_SECRET: key }
    const stripe = {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      STRIPE_WEBHOOK_SECRET: 'whsec_4eC39HqLyjWDarjtT1zdp7dc',
    }
    for (const [name, env, expected] of [
      ['none: the sandbox', {}, 'sandbox'],
      [
        'the sandbox in production',
        { NODE_ENV: 'production', PAYMENT_PROVIDER: 'sandbox' },
        'sandbox',
      ],
      ['a URL, as before', url, 'http'],
      ['a URL in production, as before', { ...url, NODE_ENV: 'production' }, 'http'],
      ['a URL and its provider', { ...url, PAYMENT_PROVIDER: 'http' }, 'http'],
      ['none in production', { NODE_ENV: 'production' }, /^PAYMENT_PROVIDER is required/],
      [
        'none at a public HOST',
        { HOST: '0.0.0.0', PLAIN_HTTP: 'allow' },
        /^PAYMENT_PROVIDER is required on a server that others reach/,
      ],
      [
        'none at a public BASE_URL',
        { BASE_URL: 'https://shop.example.com' },
        /^PAYMENT_PROVIDER is required on a server that others reach/,
      ],
      [
        'none behind a proxy',
        { TRUST_PROXY: 'loopback', BASE_URL: 'http://localhost:8080' },
        /^PAYMENT_PROVIDER is required on a server that others reach/,
      ],
      ['none at a local BASE_URL', { BASE_URL: 'http://localhost:8080' }, 'sandbox'],
      ['a URL at a public BASE_URL', { ...url, BASE_URL: 'https://shop.example.com' }, 'http'],
      [
        'the sandbox at a public BASE_URL',
        { PAYMENT_PROVIDER: 'sandbox', BASE_URL: 'https://shop.example.com' },
        'sandbox',
      ],
      [
        'the sandbox with a URL',
        { ...url, PAYMENT_PROVIDER: 'sandbox' },
        /^PAYMENT_PROVIDER_URL must not/,
      ],
      ['http without a URL', { PAYMENT_PROVIDER: 'http' }, /^PAYMENT_PROVIDER_URL is required/],
      ['Stripe with its keys', stripe, 'stripe'],
      ['Stripe in production', { ...stripe, NODE_ENV: 'production' }, 'stripe'],
      ['Stripe on loopback', { ...stripe, STRIPE_API_BASE: 'http://127.0.0.1:12111' }, 'stripe'],
      ['Stripe on IPv6 loopback', { ...stripe, STRIPE_API_BASE: 'http://[::1]:12111' }, 'stripe'],
      [
        'Stripe without a secret key',
        { ...stripe, STRIPE_SECRET_KEY: '' },
        /^STRIPE_SECRET_KEY is required/,
      ],
      [
        'Stripe without a webhook secret',
        { ...stripe, STRIPE_WEBHOOK_SECRET: '' },
        /^STRIPE_WEBHOOK_SECRET is required/,
      ],
      ['Stripe with a URL', { ...stripe, ...url }, /^PAYMENT_PROVIDER_URL must not/],
      ['another provider', { PAYMENT_PROVIDER: 'paypal' }, /^PAYMENT_PROVIDER must be/],
    ] as const) {
      test(name, () => {
        if (typeof expected === 'string') assert.equal(readConfig(env).paymentProvider, expected)
        else {
          const mistakes = mistakesOf(env)
          assert.equal(mistakes.length, 1, mistakes.join())
          assert.match(mistakes[0] ?? '', expected)
        }
      })
    }
  })
  test('.env.example is up to date (`npm run generate` writes it)', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    assert.equal(example, formatEnvExample())
  })
})

test('Digest is on by default only where this machine alone reaches the server', () => {
  const reachable: readonly Record<string, string>[] = [
    { HOST: '0.0.0.0', PLAIN_HTTP: 'allow' },
    { BASE_URL: 'https://shop.example.com' },
    { TRUST_PROXY: 'loopback', BASE_URL: 'http://localhost:3000' },
  ]
  for (const env of reachable) {
    assert.equal(readConfig({ ...env, PAYMENT_PROVIDER: 'sandbox' }).digest, 'off')
    const chosen = { ...env, PAYMENT_PROVIDER: 'sandbox', DIGEST: 'sha-256' }
    assert.equal(readConfig(chosen).digest, 'sha-256')
  }
  for (const env of [{ HOST: '::1' }, { BASE_URL: 'http://127.0.0.1:3000' }]) {
    assert.equal(readConfig(env).digest, 'on')
  }
})
