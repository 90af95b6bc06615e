import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TObject } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { optionalAuthentication, privateCache } from '#http/declare/policy.ts'
import { collection, item, type VersionChange } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create, modify, type Route, read } from '#http/declare/route.ts'
import { Id, Money, requestBody } from '#schema/words.ts'
import { routesOfVersion } from './version-transform.ts'

/** A stored lamp. */
interface Lamp {
  readonly id: number
  readonly price: number
  readonly state: string
}

const fields = { price: Money(), state: Type.String() }
const FirstLamp = Type.Object({ id: Id('The lamp.'), ...fields })
const FirstBody = requestBody(fields, FirstLamp)
const FirstPatch = requestBody(fields, FirstLamp)

const stateObject = Type.Object({ word: Type.String() })
const light = Type.Object({ on: Type.Boolean() })
const withState = (schema: TObject, state: TObject): TObject => ({
  ...schema,
  properties: { ...schema.properties, state },
})

/** Changes the state to an object, in the representation and both bodies. */
const second: VersionChange = {
  schema: withState(FirstLamp, stateObject),
  present: (representation) => ({
    ...representation,
    state: { word: (representation as Lamp).state },
  }),
  bodies: new Map(
    [FirstBody, FirstPatch].map((body) => [
      body,
      {
        schema: withState(body, stateObject),
        convertBody: (sent: unknown) => {
          const { state, ...rest } = sent as { readonly state: { readonly word: string } }
          return { ...rest, state: state.word }
        },
      },
    ]),
  ),
}

/** Changes the object in the representation and in POST, relative to the second version. */
const third: VersionChange = {
  schema: withState(FirstLamp, light),
  present: (representation) => {
    const { state } = representation as { readonly state: { readonly word: string } }
    return { ...representation, state: { on: state.word === 'on' } }
  },
  bodies: new Map([
    [
      FirstBody,
      {
        schema: withState(FirstBody, light),
        convertBody: (sent: unknown) => {
          const { state, ...rest } = sent as { readonly state: { readonly on: boolean } }
          return { ...rest, state: { word: state.on ? 'on' : 'off' } }
        },
      },
    ],
  ]),
}

const lamp: Lamp = { id: 1, price: 1999, state: 'on' }

function routesOf(versions: Readonly<Record<number, VersionChange>>): readonly Route[] {
  const resource = item<Lamp, '/lamps/:lampId'>({
    ...{ name: 'lamp', description: 'A lamp.', path: '/lamps/:lampId', schema: FirstLamp },
    load: async () => lamp,
    pathParams: ({ id }) => ({ lampId: id }),
    revision: () => 1,
    present: (found) => found,
    versions,
  })
  const lamps = collection({ name: 'lamps', path: '/lamps', item: resource })
  const policy = {
    summary: 'Is about lamps.',
    access: optionalAuthentication,
    rateLimit: 'default',
  } as const
  return [
    read(resource, { ...policy, cache: privateCache }),
    create(lamps, { ...policy, body: FirstBody, handle: async () => created(lamp) }),
    modify(resource, { ...policy, body: FirstPatch, handle: async () => lamp }),
  ]
}

/** The representation, schemas and accepted bodies of a lamp in a version. */
function formOf(version: number, versions: Readonly<Record<number, VersionChange>>) {
  const [reading, creating, modifying] = routesOfVersion(version, routesOf(versions))
  const resource = reading?.resource
  assert.ok(resource?.kind === 'item' && creating && modifying)
  const propertiesOf = ({ properties }: Partial<TObject> = {}) =>
    Object.keys((properties?.['state'] as Partial<TObject> | undefined)?.properties ?? {})
  const accepted = ({ convertBody = (sent) => sent }: Route, state: unknown) =>
    convertBody({ price: 5, state })
  return {
    price: (resource.schema.properties['price'] as { readonly type?: string }).type,
    representation: resource.present(lamp, {} as Context),
    schemas: [resource.schema, creating.body, modifying.body].map(propertiesOf),
    createWith: (state: unknown) => accepted(creating, state),
    modifyWith: (state: unknown) => accepted(modifying, state),
  }
}

test('a version without changes equals the version before', () => {
  const before = formOf(2, { 2: second })
  const after = formOf(3, { 2: second })
  assert.deepEqual(after.representation, { id: 1, price: 1999, state: { word: 'on' } })
  assert.deepEqual(after.representation, before.representation)
  assert.deepEqual(after.schemas, [['word'], ['word'], ['word']])
  assert.deepEqual(after.schemas, before.schemas)
  assert.equal(after.price, 'object')
  assert.deepEqual(after.createWith({ word: 'off' }), { price: 5, state: 'off' })
  assert.deepEqual(after.modifyWith({ word: 'off' }), { price: 5, state: 'off' })
})

test('a version changes the version before and keeps the rest', () => {
  const form = formOf(3, { 2: second, 3: third })
  assert.deepEqual(form.representation, { id: 1, price: 1999, state: { on: true } })
  assert.deepEqual(form.schemas, [['on'], ['on'], ['word']])
  assert.deepEqual(form.createWith({ on: false }), { price: 5, state: 'off' })
  assert.deepEqual(form.modifyWith({ word: 'off' }), { price: 5, state: 'off' })
})

test('a version may change the representation alone', () => {
  const { present } = third
  assert.ok(present)
  const form = formOf(3, { 2: second, 3: { present } })
  assert.deepEqual(form.representation, { id: 1, price: 1999, state: { on: true } })
  assert.deepEqual(form.schemas, [['word'], ['word'], ['word']])
})

test('changes of a version do not affect earlier versions', () => {
  const versions = { 3: third, 2: second }
  assert.deepEqual(formOf(2, versions).representation, formOf(2, { 2: second }).representation)
  const first = formOf(1, versions)
  assert.deepEqual(first.representation, lamp)
  assert.equal(first.price, 'number')
  assert.deepEqual(first.createWith('off'), { price: 5, state: 'off' })
})
