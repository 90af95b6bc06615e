import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  generateCollections,
  generateRoutes,
  generateTypes,
  type LinkTargets,
} from '#client/generate.ts'
import { entityDefinitionsOf } from '#http/declare/entities.ts'
import { definitionOf, type Link } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import { schemaNameOf } from '#http/openapi/names.ts'
import { findLinkTarget } from '#http/response/links.ts'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { createAuthentication } from '#shop/access/mechanisms.ts'
import { oauthSchemes } from '#shop/access/oauth/schemes.ts'
import { createTokenIssuer } from '#shop/access/tokens/access-tokens.ts'
import { providerOver } from '#shop/providers/http/http-provider.ts'
import { formatEnvExample, readConfig } from '#src/config/config.ts'
import { composeApp } from '#src/server/compose.ts'
import { exitWithStartError } from '#src/server/start-error.ts'
import { openStore } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { readArguments } from './arguments.ts'
import { buildConsole } from './console-files.ts'
import { lockWithoutNodeCommands } from './lock-file.ts'
import { buildReferenceScript } from './reference-file.ts'

const command = {
  usage: 'npm run generate -- [--check]',
  description:
    'Writes .env.example, docs/generated, console/dist, the script of the reference and the types of the client; with --check, reports outdated files instead.',
  options: { check: { type: 'boolean', default: false } },
} as const

const root = join(import.meta.dirname, '../..')
const baseUrl = 'http://localhost:3000'

/** A placeholder for parts that the OpenAPI document does not need; every call throws. */
const unused = new Proxy(
  {},
  {
    get: (_, name) => () => {
      throw new Error(`${String(name)} is not available while files are generated`)
    },
  },
) as never

const unusedParts = {
  passwords: unused,
  loginThrottle: unused,
  knownNetworks: unused,
  tokens: createTokenIssuer(['unused signing key'], baseUrl),
  accountTokens: unused,
  digests: createDigestSecrets(['unused encryption key']),
  webhookDestinations: unused,
  sendWebhook: unused,
  webhookSecrets: unused,
  storage: unused,
  scaler: unused,
  spendHash: unused,
}

/** Returns the OpenAPI document of a server with default settings, and the targets of its links. */
async function describeServer(): Promise<{ openapi: string; links: LinkTargets }> {
  const { currency, shopName, linksField, errorShape, rateLimit, loginLimit } = readConfig({})
  const store = await openStore('sqlite::memory:')
  const { describe, operations } = composeApp({
    store,
    shopName,
    shop: {
      currency,
      currencyDigits: currencyDigits(currency),
      pricesIncludeTax: true,
      timeZone: 'UTC',
      country: null,
    },
    ...unusedParts,
    unpaidOrders: { perUser: 'off', stockShare: 1 },
    provider: providerOver(unused, { secret: '', name: 'sandbox' }),
    issuer: baseUrl,
    callbackUrl: '',
    authentication: createAuthentication({
      ...unusedParts,
      oauth: { identify: unused, security: oauthSchemes(baseUrl) },
      keyUses: unused,
      nonces: unused,
    }),
    cipher: unused,
    baseUrl,
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
  const routes = operations.map(({ route }) => route)
  return { openapi: `${formatJson(describe(), 4)}\n`, links: linkTargets(routes) }
}

// Every resource has these as methods of its own.
const ownLinks = new Set(['self', 'edit', 'update', 'delete'])

/** Returns what each link of each resource leads to. */
function linkTargets(routes: readonly Route[]): LinkTargets {
  const targets: Record<string, Readonly<Record<string, string>>> = {}
  const definitions = entityDefinitionsOf(routes)
  for (const definition of new Set(routes.map(({ resource }) => definitionOf(resource)))) {
    if (definition.kind === 'document') continue
    for (const [name, link] of Object.entries<Link<unknown>>(definition.links ?? {})) {
      if (ownLinks.has(name)) continue
      const { method, path } = findLinkTarget(definition, name, link, routes)
      const schema = schemaNameOf(definition, definitions)
      const route = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
      targets[schema] = { ...targets[schema], [name]: route }
    }
  }
  return targets
}

/** Returns JSON without indentation, with one line per member of objects up to `depth` levels deep. */
function formatJson(value: unknown, depth: number): string {
  if (depth === 0 || value?.constructor !== Object) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatJson(member, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

async function generateFiles(isCheck: boolean): Promise<void> {
  const { openapi, links } = await describeServer()
  const generated: Readonly<Record<string, string | Buffer>> = {
    '.env.example': formatEnvExample(),
    'docs/generated/openapi.json': openapi,
    'client/src/openapi.ts': await generateTypes(openapi),
    'client/src/routes.ts': generateRoutes(openapi, links),
    'client/src/collections.ts': generateCollections(openapi),
    ...(await buildConsole()),
    ...(await buildReferenceScript()),
    'package-lock.json': lockWithoutNodeCommands(root),
  }
  const stale = globSync('console/dist/*', { cwd: root }).filter((name) => !(name in generated))
  const changed = Object.entries(generated).filter(([name, content]) => {
    const path = join(root, name)
    return !existsSync(path) || !readFileSync(path).equals(Buffer.from(content))
  })
  if (isCheck) {
    for (const [name] of changed) console.error(`${name} is out of date: run npm run generate`)
    for (const name of stale)
      console.error(`${name} is not generated any more: run npm run generate`)
    if (changed.length + stale.length > 0) process.exitCode = 1
    return
  }
  for (const [name, content] of changed) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const name of stale) rmSync(join(root, name))
}

try {
  await generateFiles(readArguments(command).values.check)
} catch (error) {
  exitWithStartError(error)
}
