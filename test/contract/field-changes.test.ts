import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { eachDatabase, type TestResponse } from '#test/support/app.ts'
import { includesOf } from './queries.ts'
import {
  type BodyValue,
  nameOf,
  type PathStep,
  replaceAt,
  type Shape,
  valuesIn,
} from './setup/body-values.ts'
import { fieldRules, otherValue } from './setup/changed-fields.ts'
import {
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  readUrl,
  startContractApp,
  validRequest,
} from './setup/contract-app.ts'
import type { Fixtures } from './setup/fixture-ids.ts'

const isBody = ({ body, upload }: Route): boolean =>
  !upload && Object.keys((body as Shape | undefined)?.properties ?? {}).length > 0

const operationOf = ({ method, path }: Route) => `${method} ${path}`

/** The name of a field, without places in lists. */
const fieldOf = (at: readonly PathStep[]): string =>
  at.filter((step) => typeof step === 'string').join('.')

/** The names of all fields of a body. */
function fieldsOf(shape: Shape, at: readonly string[] = []): readonly string[] {
  const { properties = {}, items } = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const inner = fieldsOf(member, [...at, name])
    return inner.length > 0 ? inner : [[...at, name].join('.')]
  })
  return items ? [...members, ...fieldsOf(items, at)] : members
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The values to change: no objects, and lists of words as a whole. */
const leavesOf = (route: Route, json: unknown): readonly BodyValue[] =>
  valuesIn(route.body as Shape, json).filter(
    ({ at, value }) =>
      typeof at.at(-1) === 'string' &&
      (Array.isArray(value) ? !isObject(value[0]) : !isObject(value)),
  )

/** Returns the values of a body with those fields that only a rule gives a value. */
function changedValues(route: Route, fixtures: Fixtures): readonly BodyValue[] {
  const { json } = validRequest(route, fixtures)
  const leaves = leavesOf(route, json)
  const added = Object.entries(fieldRules[operationOf(route)] ?? {}).flatMap(([name, { value }]) =>
    value && !leaves.some(({ at }) => fieldOf(at) === name) ? [name.split('.')] : [],
  )
  const more = added.map((at) => ({
    at,
    shape: {},
    value: undefined,
    isNullable: false,
    whenNull: null,
  }))
  return [...leaves, ...more]
}

const valueAt = (body: unknown, at: readonly PathStep[]): unknown =>
  at.reduce<unknown>((value, step) => (value as Record<PathStep, unknown> | null)?.[step], body)

const isPatch = ({ method }: Route): boolean => method === 'PATCH'

/** Returns a body in which a field is changed alone: a patch of it, or a valid body with it. */
function changedBody(route: Route, fixtures: Fixtures, at: readonly PathStep[], value: unknown) {
  const { json } = validRequest(route, fixtures)
  const { beside } = fieldRules[operationOf(route)]?.[fieldOf(at)] ?? {}
  const inner = isPatch(route) && at.every((step) => typeof step === 'string')
  const changed = inner
    ? at.reduceRight((rest, step) => ({ [step]: rest }), value)
    : replaceAt(json, at, value)
  return { ...(changed as object), ...beside?.(fixtures) }
}

/** True for a PUT that sets all fields anew and leaves the credentials of the caller as they are. */
const isRepeatable = ({ method, path }: Route): boolean =>
  method === 'PUT' && path !== '/users/:id' && !path.endsWith('/:token')

/** Reads what a request has created or changed, with all that it can include. */
async function readChanged(
  contract: ContractApp,
  route: Route,
  response: TestResponse,
  { url: sent, token }: RequestSpec,
) {
  const { resource } = route
  // The response to a new guest holds tokens beside the user, who alone may read it.
  if (route.path === '/guests') return response.json.user
  const url = response.headers['location'] ?? readUrl(sent)
  const target = resource.kind === 'collection' ? resource.item : resource
  const reading = contract.routes.find((each) => each.kind === 'read' && each.resource === target)
  const includes = reading ? includesOf(reading).join() : ''
  const query = includes && `?include=${includes}`
  return (await contract.send({ method: 'GET', url: url + query, token })).json
}

const namesField = ({ json, text }: TestResponse, field: string): boolean =>
  (json.errors ?? []).some((each: { readonly field: string }) => each.field.startsWith(field)) ||
  text.includes(`set ${field}`)

eachDatabase(
  (kind) => {
    describe('a field of a body that is changed alone', () => {
      let contract: ContractApp
      before(async () => {
        contract = await startContractApp(kind)
      })
      after(() => contract.shop.dispose())

      /** Changes a field alone, and asserts that what is then read shows it, or that it is refused. */
      async function check(
        route: Route,
        fixtures: Fixtures,
        { at, whenNull }: BodyValue,
        isNull: boolean,
      ) {
        const rule = fieldRules[operationOf(route)]?.[fieldOf(at)] ?? {}
        const spec = validRequest(route, fixtures)
        const leaf = leavesOf(route, spec.json).find((each) => fieldOf(each.at) === fieldOf(at))
        const other = rule.value ? rule.value(fixtures) : leaf && otherValue(leaf)
        const own = isNull ? null : other
        const label = `${nameOf(at)} = ${JSON.stringify(own)}`
        const response = await contract.send({
          ...spec,
          json: changedBody(route, fixtures, at, own),
        })
        if (response.status >= 400) {
          const isExpected = rule.refused !== undefined || namesField(response, String(at[0]))
          return isExpected ? [] : [`${label}: ${response.text}`]
        }
        if (rule.refused) return [`${label} is not refused`]
        if (rule.unseen ?? (isNull && rule.nullUnseen)) return []
        const read = await readChanged(contract, route, response, spec)
        const [shown, wanted] = [valueAt(read, at) ?? null, own ?? whenNull]
        return JSON.stringify(shown) === JSON.stringify(wanted)
          ? []
          : [`${label} shows ${JSON.stringify(shown)}`]
      }

      test('is shown, or refused', async () => {
        await forEachRoute(contract, isBody, async (route) => {
          const values = changedValues(route, contract.fixtures)
          const known = [
            ...values.map(({ at }) => `${fieldOf(at)}.`),
            ...Object.keys(fieldRules[operationOf(route)] ?? {}).map((name) => `${name}.`),
          ]
          const isKnown = (field: string) =>
            known.some((name) => name.startsWith(`${field}.`) || `${field}.`.startsWith(name))
          const failures = fieldsOf(route.body as Shape)
            .filter((field) => !isKnown(field))
            .map((field) => `${field} has no value in valid-requests.ts or changed-fields.ts`)
          const shared = isRepeatable(route) ? await contract.freshFixtures(route) : undefined
          for (const value of values) {
            for (const isNull of value.isNullable ? [false, true] : [false]) {
              const fixtures = shared ?? (await contract.freshFixtures(route))
              failures.push(...(await check(route, fixtures, value, isNull)))
            }
          }
          assert.ok(failures.length === 0, failures.join('\n'))
        })
      })
    })
  },
  ['sqlite'],
)
