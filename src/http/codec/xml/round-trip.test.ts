import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Route } from '#http/declare/route.ts'
import { errorSchema } from '#http/response/problems/schema.ts'
import { xmlDocumentOf } from '#http/response/xml-documents.ts'
import { DateTime, Money, nullable, stringEnum } from '#schema/words.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { compileXmlReader } from './reader.ts'
import { LinksSchema } from './shape.ts'
import { compileXmlWriter } from './writer.ts'

const xmlRoundTrip = (schema: TSchema, root: string) => {
  const write = compileXmlWriter(schema, root)
  const read = compileXmlReader(schema, root, { onlyRoot: true })
  // A long document is written in slices.
  return async (value: unknown): Promise<unknown> => await read(await write(value))
}

/** True for a discount of an amount that is a text, which no discount has: XML reads it as a number. */
function isAmountInText(value: unknown): boolean {
  const { kind, value: worth } = Object(value) as Readonly<Record<string, unknown>>
  return kind === 'amount' && typeof worth === 'string'
}

function assertRoundTrips(
  schema: TSchema,
  root: string,
  values: fc.Arbitrary<unknown>,
  numRuns: number,
) {
  const roundTrip = xmlRoundTrip(schema, root)
  const property = fc.asyncProperty(values, async (value) => {
    fc.pre(!isAmountInText(value))
    assert.deepEqual(await roundTrip(value), value)
  })
  return fc.assert(property, { numRuns })
}

function assertEachRoundTrips(
  schemas: fc.Arbitrary<TSchema>,
  values: (schema: TSchema) => fc.Arbitrary<unknown>,
) {
  const pairs = schemas.chain((schema) => values(schema).map((value) => [schema, value] as const))
  const property = fc.asyncProperty(pairs, async ([schema, value]) => {
    assert.deepEqual(await xmlRoundTrip(schema, 'things')(value), value)
  })
  return fc.assert(property, { numRuns: 1000 })
}

const awkward = ['', ' ', '\t\n', '\r\n', ']]>', '<a b="c">', '&amp;', '\\u0001', '\\', '\0', '"']
const alike = ['true', '1', 'null', '[]', '\ufeff', '\u0085', '\u2028', '\ufffe', '\ud800', '😀']
const texts = fc.oneof(
  fc.constantFrom(...awkward, ...alike),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ max: 0xffff, min: 0 })).map((units) => String.fromCharCode(...units)),
)
const numbers = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  // JSON has one zero.
  .map((number) => (number === 0 ? 0 : number))
const keys = fc.oneof(
  fc.stringMatching(/^[a-z][a-z_]{0,5}s?$/),
  fc.constantFrom('member', 'members', 'xml', 'link', 'links', '_links', '__proto__', 'a b', 'é'),
  texts,
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 5 }),
    dictionary(tie('json')),
  ),
}))
const object = dictionary(json)
const links = fc.dictionary(
  texts,
  fc.record(
    { href: texts, method: texts, body: object },
    { requiredKeys: ['href'], noNullPrototype: true },
  ),
  { noNullPrototype: true, maxKeys: 5 },
)

/** Objects as JSON.parse returns them, also with a member `__proto__`. */
function dictionary(values: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(keys, values), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries))
}

interface Schema {
  readonly type?: string
  readonly logical?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
}

/** All JSON values of a schema. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf))
  if (schema.logical === 'links') return links
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (schema.type) {
    case 'string':
      return texts
    case 'number':
      return numbers
    case 'integer':
      return fc.maxSafeInteger()
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return objectsOf(schema)
    default:
      return json
  }
}

function objectsOf({ properties = {}, additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([key, member]) => [key, valuesOf(member)])
  const known = fc.record(Object.fromEntries(members), {
    requiredKeys: [],
    noNullPrototype: true,
  })
  if (additionalProperties !== true) return known
  const further = object.map((members) =>
    Object.fromEntries(Object.entries(members).filter(([key]) => !Object.hasOwn(properties, key))),
  )
  return fc.tuple(further, known).map(([more, some]) => ({ ...more, ...some }))
}

const scalarSchemas = fc.constantFrom<TSchema>(
  Type.String(),
  Type.Integer(),
  Type.Number(),
  Type.Boolean(),
  Type.Unknown(),
  Money(),
  DateTime(),
  stringEnum(['a', '<b>', '']),
  nullable(Type.String()),
)
const isOwn = (key: string): boolean => !(key in Object.prototype)
const properties = (schemas: fc.Arbitrary<TSchema>) =>
  fc.dictionary(keys.filter(isOwn), schemas, { maxKeys: 4 })

/** Objects with additional properties, which have no links. */
const openObjects = (schemas: fc.Arbitrary<TSchema>) =>
  properties(schemas).map((named) => Type.Object(named, { additionalProperties: true }))

/** Objects without additional properties; some have links. */
const closedObjects = (schemas: fc.Arbitrary<TSchema>) =>
  fc
    .tuple(properties(schemas), fc.constantFrom('links', '_links', undefined))
    .map(([{ links: _, ...named }, linksField]) =>
      Type.Object(linksField === undefined ? named : { ...named, [linksField]: LinksSchema }),
    )

const schemasWith = (objects: readonly (typeof openObjects)[]) =>
  fc.letrec<{ schema: TSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      scalarSchemas,
      tie('schema').map((items) => Type.Array(items)),
      tie('schema').map((inner) => nullable(inner)),
      ...objects.map((objectsOfSchemas) => objectsOfSchemas(tie('schema'))),
    ),
  })).schema

describe('a JSON value written as XML and read again', () => {
  test('is equal without a schema', () => assertRoundTrips(Type.Unknown(), 'value', json, 1000))

  test('is equal if it is valid', () =>
    assertEachRoundTrips(schemasWith([openObjects, closedObjects]), valuesOf))

  test('is equal if it is invalid and all objects are open', () =>
    assertEachRoundTrips(schemasWith([openObjects]), () => json))

  for (const shape of ['standard', 'simple'] as const)
    test(`is equal for ${shape} errors`, () =>
      assertRoundTrips(errorSchema(shape), 'error', valuesOf(errorSchema(shape)), 100))
})

describe('of every route,', () => {
  let shop: TestApp
  let routes: readonly Route[]
  before(async () => {
    shop = await startTestApp('sqlite')
    routes = shop.operations.map(({ route }) => route)
  })
  after(() => shop.dispose())

  for (const linksField of ['_links', 'links'])
    test(`the response body is equal after XML, with ${linksField}`, async () => {
      const documents = routes
        .map(xmlDocumentOf(routes, linksField))
        .filter((found) => found !== undefined)
      assert.ok(documents.length > 30)
      for (const { schema, root } of documents)
        await assertRoundTrips(schema, root, valuesOf(schema), 10)
    })

  test('the request body is equal after XML', async () => {
    const bodies = new Set(routes.flatMap(({ body }) => (body ? [body] : [])))
    assert.ok(bodies.size > 10)
    for (const schema of bodies) await assertRoundTrips(schema, 'body', valuesOf(schema), 30)
  })
})
