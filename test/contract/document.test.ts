import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { definitionOf } from '#http/declare/resource.ts'
import type { Route } from '#http/declare/route.ts'
import type { OpenApiDocument } from '#http/openapi/document.ts'
import { createCommonPasswordCheck } from '#shop/accounts/passwords/common-passwords.ts'
import { type Node, resolve } from '#test/support/openapi.ts'
import { isBlank } from '#values/text-key.ts'
import {
  type ContractApp,
  forEachRoute,
  startContractApp,
  validRequest,
} from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixture-ids.ts'
import { createSchemaValues, type SchemaValues } from './setup/schema-values.ts'
import { differsInVersion2 } from './variants.ts'

// Each run makes other texts; SCHEMA_SEED repeats a run.
const seed = Number(process.env['SCHEMA_SEED'] ?? Date.now() % 1_000_000_000)

/**
 * Fields whose values a rule of the resource checks further, as their descriptions say: they name
 * something that must exist, or depend on other fields. A field of one operation is named after it.
 */
const checkedByRules = new Set([
  ...[
    'product_id',
    'description_html',
    'items',
    'user_id',
    'role',
    'username',
    'is_default',
    'shipping',
    'method',
    'address_id',
  ],
  ...[
    'allowed_addresses',
    'allowed_origins',
    'redirect_uris',
    'code',
    'kind',
    'value',
    'discount_code',
  ],
  ...['post_logout_redirect_uris', 'grant_types', 'response_types', 'starts_at', 'ends_at'],
  ...['token_endpoint_auth_method', 'availability', 'stock'],
  // Its last digit follows from the others.
  'gtin',
  // A country may need a postal code, and has its own regions.
  ...['country', 'region', 'postal_code'],
  // A variant has both a parent that exists and the same options as the other variants.
  ...['variant_of', 'options'],
  // Names a category that exists.
  'parent_id',
  // A change of one member needs the other one.
  'PATCH /products/:productId unit_measure',
  // A refund is of an amount above 0, or of pieces, which may be restocked, and the shipping cost.
  ...['amount', 'restock'].map((name) => `POST /orders/:orderId/refunds ${name}`),
])

const isCommonPassword = createCommonPasswordCheck()

interface Parameter extends Node {
  readonly name: string
  readonly in: string
  readonly schema: Node
}

interface Operation {
  readonly query: readonly Parameter[]
  readonly body: Node | undefined
}

function operationOf(document: OpenApiDocument, { method, path }: Route): Operation {
  const item = document.paths[path.replace(/:(\w+)/g, '{$1}')] ?? {}
  const { parameters = [], requestBody } = item[method.toLowerCase()] as Record<string, Node>
  const all = (parameters as unknown as readonly Node[]).map(
    (parameter) => resolve(document, parameter) as Parameter,
  )
  const content = requestBody?.['content'] as Record<string, { schema: Node }> | undefined
  return {
    query: all.filter((parameter) => parameter.in === 'query'),
    body: content?.['application/json']?.schema,
  }
}

const amountOf = (value: unknown) => ({ amount: Number(value).toFixed(2), currency: 'USD' })

/** The fields that a body may contain in any form. */
const ignoredNames = ({ patternProperties = {} }: Node): readonly string[] =>
  Object.keys(patternProperties as object).flatMap((pattern) => pattern.slice(2, -2).split('|'))

describe(`the schemas of the OpenAPI document (SCHEMA_SEED=${seed})`, () => {
  for (const version of [1, 2]) {
    describe(`of version ${version}`, () => {
      let contract: ContractApp
      let document: OpenApiDocument
      let values: SchemaValues
      before(async () => {
        contract = await startContractApp('memory')
        document = contract.shop.describe(version)
        values = createSchemaValues(document, seed)
      })
      after(() => contract.shop.dispose())

      const isOfVersion = (route: Route) => version === 1 || differsInVersion2(route)
      const prefixed = (url: string) => `/v${version}${url}`

      /** A query contains texts only, and one text is a list of it. */
      const wrongTexts = (schema: Node): readonly string[] => {
        const { type, items } = schema as { readonly type?: string; readonly items?: Node }
        const entry = type === 'array' ? (items ?? {}) : schema
        const isNumber = type === 'integer' || type === 'number'
        return values
          .invalid(entry)
          .filter((value) => typeof value === 'string' || typeof value === 'number')
          .map(String)
          .filter((text) => !values.check(entry, isNumber ? Number(text) : text))
      }

      /** The parameters that an object stands for, whose members are sent each (style form, exploded). */
      const membersOf = (parameter: Parameter): readonly Pick<Parameter, 'name' | 'schema'>[] => {
        if (parameter.schema['type'] !== 'object') return [parameter]
        const { propertyNames, additionalProperties } = parameter.schema as Record<string, Node>
        assert.ok(propertyNames && additionalProperties, parameter.name)
        const names = values.valid({ type: 'string', ...propertyNames })
        assert.ok(names.length > 0, parameter.name)
        // Braces in an error would look like a word that was not filled in.
        return names
          .filter((name) => !/[{}]/.test(String(name)))
          .map((name) => ({ name: String(name), schema: additionalProperties }))
      }

      test('accept the query parameters that the API accepts, and no others', async () => {
        const { fixtures, send } = contract
        const isRead = (route: Route) =>
          route.method === 'GET' && route.resource.kind !== 'document' && isOfVersion(route)
        await forEachRoute(contract, isRead, async (route) => {
          const spec = validRequest(route, fixtures)
          const sendQuery = async (name: string, value: unknown) => {
            const query = [value]
              .flat()
              .map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(String(text))}`)
            // The last page that may be asked for depends on the limit.
            if (name === 'page') query.push('limit=1')
            return send({ ...spec, url: prefixed(`${spec.url}?${query.join('&')}`) })
          }
          const parameters = operationOf(document, route).query
          for (const { name, schema } of parameters.flatMap(membersOf)) {
            // It comes from a response; there is no other way to make one.
            if (name === 'cursor') continue
            for (const value of values
              .valid(schema)
              .filter((one) => JSON.stringify(one) !== '[]')) {
              const { status, text } = await sendQuery(name, value)
              // The data of another user, and a search of orders, is 403.
              const isForbidden = status === 403 && /^(user_id|buyer|q)$/.test(name)
              const isAccepted = status < 400 || isForbidden
              assert.ok(isAccepted, `${name}=${JSON.stringify(value)}: ${text}`)
            }
            for (const value of wrongTexts(schema)) {
              const { status, json, text } = await sendQuery(name, value)
              assert.equal(status, 400, `${name}=${JSON.stringify(value)}: ${text}`)
              assert.equal(json.error_code, '4003')
            }
          }
        })
      })

      test('accept the fields of bodies that the API accepts, and no others', async () => {
        const checked = new Set<string>()
        await forEachRoute(
          contract,
          (route) => route.body !== undefined && isOfVersion(route),
          async (route) => {
            const { body } = operationOf(document, route)
            if (!body) return
            const fixtures: Fixtures = await contract.freshFixtures(route)
            const spec = validRequest(route, fixtures)
            const { properties = {} } = resolve(document, body) as {
              properties?: Record<string, Node>
            }
            const isValid = ([name, value]: readonly [string, unknown]) =>
              values.check(properties[name] ?? {}, value)
            // Bodies of the fixtures have the form of version 1.
            const whole = Object.fromEntries(
              Object.entries(spec.json ?? {})
                .map((field) =>
                  isValid(field) ? field : ([field[0], amountOf(field[1])] as const),
                )
                .filter(isValid),
            )
            const sendBody = (json: unknown) =>
              contract.send({ ...spec, url: prefixed(spec.url), json })
            for (const name of ignoredNames(resolve(document, body))) {
              // Another currency than that of the shop changes what amounts mean.
              if (name === 'currency') continue
              for (const value of [null, 'text', 5, { a: [1] }]) {
                const { status, text } = await sendBody({ ...whole, [name]: value })
                assert.ok(![400, 422].includes(status), `${name}: ${status} ${text}`)
              }
            }
            for (const [name, schema] of Object.entries(properties)) {
              // POST and PUT have the same fields, which one codec reads.
              const field = `${definitionOf(route.resource).name} ${name} ${JSON.stringify(schema)}`
              if (checked.has(field)) continue
              checked.add(field)
              for (const value of values.invalid(schema)) {
                // A text with nothing to read counts as absent, which the schema cannot say.
                if (typeof value === 'string' && isBlank(value)) continue
                const { status, text } = await sendBody({ ...whole, [name]: value })
                const sent = JSON.stringify(value).slice(0, 80)
                assert.ok([400, 422].includes(status), `${name}: ${sent} → ${status} ${text}`)
              }
              const inOperation = `${route.method} ${route.path} ${name}`
              if (checkedByRules.has(name) || checkedByRules.has(inOperation)) continue
              for (const value of values.valid(schema)) {
                // fast-check prefers names of JavaScript, and "prototype" is a common password.
                if (name === 'password' && (await isCommonPassword(String(value)))) continue
                if (typeof value === 'string' && isBlank(value)) continue
                const { status, text } = await sendBody({ ...whole, [name]: value })
                const sent = JSON.stringify(value).slice(0, 80)
                assert.ok(![400, 422].includes(status), `${name}: ${sent} → ${status} ${text}`)
              }
            }
          },
        )
      })
    })
  }
})
