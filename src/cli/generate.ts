import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDigestSecrets } from '#auth/digest/secrets.ts'
import { everyMechanism } from '#auth/mechanisms.ts'
import { oauthSchemes } from '#auth/oauth/schemes.ts'
import { openTokens } from '#auth/tokens/access-tokens.ts'
import { openStore } from '#db/database.ts'
import { exampleEnvironment, readConfig } from '#src/config/config.ts'
import { composeApp } from '#src/server/compose.ts'
import { currencyDigits } from '#values/money.ts'

const root = join(import.meta.dirname, '../..')

/** Stands for what describing has no use for: whatever is called of it throws. */
const unused = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`${String(name)} is not there while files are generated`)
    },
  },
) as never

/** The description of the API as a server without any settings gives it. */
async function exampleDescription(): Promise<string> {
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
    authentication: everyMechanism({
      tokens: openTokens(['nothing is signed with this'], 'http://localhost:3000'),
      oauth: { identify: unused, security: oauthSchemes('http://localhost:3000') },
      passwords: unused,
      loginThrottle: unused,
      knownNetworks: unused,
      keyUses: unused,
      nonces: unused,
      secrets: openDigestSecrets(['nothing is sealed with this']),
    }),
    sealer: unused,
    clock: () => 0,
    linksField,
    errorShape,
    load: unused,
    ...(rateLimit === 'off' ? {} : { limits: { usual: rateLimit, counters: unused } }),
    ...(loginLimit === 'off' ? {} : { loginLimits: { usual: loginLimit, counters: unused } }),
  })
  await store.close()
  return `${inLines(describe(), 5)}\n`
}

/** JSON with a line for each member of the objects that are less than `depth` deep, and no indentation. */
function inLines(value: unknown, depth: number): string {
  if (depth === 0 || value?.constructor !== Object) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${inLines(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

const generated: Readonly<Record<string, string>> = {
  '.env.example': exampleEnvironment(),
  'docs/generated/openapi.json': await exampleDescription(),
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
