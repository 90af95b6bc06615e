import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import { createAuthentication } from '#auth/mechanisms.ts'
import { oauthSchemes } from '#auth/oauth/schemes.ts'
import { openTokens } from '#auth/tokens/access-tokens.ts'
import { openStore } from '#db/database.ts'
import { formatEnvExample, readConfig } from '#src/config/config.ts'
import { composeApp } from '#src/server/compose.ts'
import { currencyDigits } from '#values/money.ts'

const root = join(import.meta.dirname, '../..')

/** A placeholder for dependencies that the OpenAPI document does not need; every call throws. */
const unused = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`${String(name)} is not available while files are generated`)
    },
  },
) as never

/** Returns the OpenAPI document of a server with default settings. */
async function generateOpenApi(): Promise<string> {
  const { currency, linksField, errorShape, rateLimit, loginLimit } = readConfig({})
  const store = await openStore('sqlite::memory:')
  const { describe } = composeApp({
    store,
    dependencies: {
      shop: { currency, currencyDigits: currencyDigits(currency) },
      passwords: unused,
      loginThrottle: unused,
      knownNetworks: unused,
      tokens: unused,
      apiKeys: unused,
      digests: unused,
      provider: unused,
      issuer: 'http://localhost:3000',
      callbackUrl: '',
    },
    authentication: createAuthentication({
      tokens: openTokens(['unused signing key'], 'http://localhost:3000'),
      oauth: { identify: unused, security: oauthSchemes('http://localhost:3000') },
      passwords: unused,
      loginThrottle: unused,
      knownNetworks: unused,
      keyUses: unused,
      nonces: unused,
      secrets: openDigestSecrets(['unused encryption key']),
    }),
    sealer: unused,
    clock: () => 0,
    linksField,
    errorShape,
    load: unused,
    ...(rateLimit === 'off' ? {} : { limits: { defaultAllowance: rateLimit, counters: unused } }),
    ...(loginLimit === 'off'
      ? {}
      : { loginLimits: { defaultAllowance: loginLimit, counters: unused } }),
  })
  await store.close()
  return `${formatJson(describe(), 5)}\n`
}

/** Returns JSON without indentation, with one line per member of objects up to `depth` levels deep. */
function formatJson(value: unknown, depth: number): string {
  if (depth === 0 || value?.constructor !== Object) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatJson(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

const generated: Readonly<Record<string, string>> = {
  '.env.example': formatEnvExample(),
  'docs/generated/openapi.json': await generateOpenApi(),
}

const changed = Object.entries(generated).filter(([name, text]) => {
  const path = join(root, name)
  return !existsSync(path) || readFileSync(path, 'utf8') !== text
})

if (process.argv.includes('--check')) {
  for (const [name] of changed) console.error(`${name} is out of date: run npm run generate`)
  if (changed.length > 0) process.exitCode = 1
} else {
  for (const [name, text] of changed) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}
