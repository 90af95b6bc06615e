import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { bodyLimitOf } from '#http/server/body/body-limit.ts'
import {
  type BodyValue,
  isMap,
  nameOf,
  type PathStep,
  replaceAt,
  type Shape,
  valuesIn,
} from './setup/body-values.ts'
import {
  assertErrorCode,
  assertFieldError,
  type ContractApp,
  forEachRoute,
  validRequest,
} from './setup/contract-app.ts'

const acceptsBody = ({ body }: Route): boolean => body !== undefined
const isStrict = (route: Route): boolean =>
  acceptsBody(route) && (route.body as Shape).additionalProperties !== true
const isObject = ({ value }: BodyValue): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bodyValues = (route: Route, json: unknown) => valuesIn(route.body as Shape, json)

/** Declares the tests of how every request body is validated. */
export function testBodies(getContract: () => ContractApp): void {
  test('a body that is not JSON answers 400', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsBody, async (route) => {
      const { json: _, ...spec } = validRequest(route, contract.fixtures)
      for (const payload of [
        '{',
        '{"a":1,}',
        'x',
        '{"a":1}{',
        "{'a':1}",
        '\u0000',
        '{"a":\u0001}',
      ]) {
        assertErrorCode(await contract.send({ ...spec, payload }), '4002', payload)
      }
    })
  })
  test('a body of another media type answers 415', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsBody, async (route) => {
      const unsupported = ['text/plain', 'application/octet-stream', 'application/jsonx', 'json']
      const patch = route.method === 'PATCH' ? [] : ['application/merge-patch+json']
      for (const type of [...unsupported, ...patch]) {
        const headers = { 'content-type': type }
        const response = await contract.send({ ...validRequest(route, contract.fixtures), headers })
        assertErrorCode(response, '4151', type)
      }
    })
  })
  test('a body over the limit answers 413', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsBody, async (route) => {
      const limit = bodyLimitOf(route)
      const { json: _, ...spec } = validRequest(route, contract.fixtures)
      const response = await contract.send({ ...spec, payload: ' '.repeat(limit + 1) })
      assertErrorCode(response, '4131')
      assert.match(response.json.details, new RegExp(`\\b${limit}\\b`))
    })
  })
  test('a body that is not an object, nor a list of some where the route takes it, answers 422', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsBody, async (route) => {
      const list = route.many ? [null] : [{}]
      for (const json of [[], list, 'text', 42, true, null]) {
        const response = await contract.send({ ...validRequest(route, contract.fixtures), json })
        assertErrorCode(response, '4221', JSON.stringify(json))
      }
    })
  })
  testFields(getContract)
  testValues(getContract)
  testRemovals(getContract)
}

const isPatch = ({ method }: Route): boolean => method === 'PATCH'

function testRemovals(getContract: () => ContractApp): void {
  test('null in a patch removes an optional field and is rejected for a required one', async () => {
    const contract = getContract()
    await forEachRoute(contract, isPatch, async (route) => {
      const { properties = {} } = route.body as Shape
      const spec = validRequest(route, await contract.freshFixtures(route))
      // In reverse: the username can be removed only while the email still exists.
      for (const [name, { anyOf }] of Object.entries(properties).toReversed()) {
        const response = await contract.send({ ...spec, json: { [name]: null } })
        if (anyOf) assert.notEqual(response.json.error_code, '4221', `${name} ${response.text}`)
        else {
          assertErrorCode(response, '4221', name)
          assertFieldError(response, name)
        }
      }
    })
  })
}

function testFields(getContract: () => ContractApp): void {
  test('an unknown field answers 422 and is named', async () => {
    const contract = getContract()
    await forEachRoute(contract, isStrict, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      const objects = bodyValues(route, spec.json).filter((each) => isObject(each) && !isMap(each))
      for (const { at } of objects) {
        for (const name of ['no_such_field', '__proto__', 'constructor', '']) {
          const field = [...at, name]
          const response = await contract.send({
            ...spec,
            payload: withMember(spec.json, at, name),
          })
          assertErrorCode(response, '4221', nameOf(field))
          assertFieldError(response, nameOf(field))
        }
      }
    })
  })
  test('a missing required field answers 400 and is named', async () => {
    const contract = getContract()
    await forEachRoute(contract, isStrict, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      for (const { at, shape } of bodyValues(route, spec.json).filter(isObject)) {
        for (const name of shape.required ?? []) {
          const json = replaceAt(spec.json, [...at, name], undefined)
          const response = await contract.send({ ...spec, json })
          assertErrorCode(response, '4001', name)
          assertFieldError(response, nameOf([...at, name]))
        }
      }
    })
  })
}

/** Serializes a body with one more member, which may be named `__proto__`. */
function withMember(body: unknown, at: readonly PathStep[], name: string): string {
  const placeholder = 'placeholder of the new member'
  const text = JSON.stringify(replaceAt(body, [...at, placeholder], 1))
  return text.replace(JSON.stringify(placeholder), JSON.stringify(name))
}

/** Values that the schema does not allow. */
function wrongValues({ shape, value, isNullable }: BodyValue): readonly unknown[] {
  const common = [...(isNullable ? [] : [null]), Array.isArray(value) ? {} : []]
  const type = value === null ? shape.type : typeof value
  switch (type) {
    case 'string': {
      const tooLong = shape.maxLength === undefined ? [] : ['a'.repeat(shape.maxLength + 1)]
      return [...common, 'a\u0000b', 'a\ud800b', '\udc00', 1, true, {}, ...tooLong]
    }
    case 'number':
      return [...common, 'text', '1', -1, 1.2345, 1e308, 2 ** 53, true, {}]
    default:
      return [...common, 'text', 1]
  }
}

function testValues(getContract: () => ContractApp): void {
  test('a value of the wrong type answers 422 and is named, as are NUL and lone surrogates', async () => {
    const contract = getContract()
    await forEachRoute(contract, isStrict, async (route) => {
      const spec = validRequest(route, contract.fixtures)
      for (const bodyValue of bodyValues(route, spec.json).slice(1)) {
        for (const wrong of wrongValues(bodyValue)) {
          const json = replaceAt(spec.json, bodyValue.at, wrong)
          const response = await contract.send({ ...spec, json })
          assertErrorCode(response, '4221', `${nameOf(bodyValue.at)} = ${JSON.stringify(wrong)}`)
          assertFieldError(response, nameOf(bodyValue.at))
        }
      }
    })
  })
  test('an empty body answers 400 where fields are required', async () => {
    const contract = getContract()
    await forEachRoute(contract, acceptsBody, async (route) => {
      const { json: _, ...spec } = validRequest(route, contract.fixtures)
      const required = (route.body as Shape).required ?? []
      if (required.length > 0)
        assertErrorCode(await contract.send({ ...spec, payload: '' }), '4002')
    })
  })
}
