import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import { bodyLimitBytes } from '#http/server/request-body.ts'
import {
  everyRoute,
  requireCode,
  requireNamed,
  type Watched,
  wellFormed,
} from './setup/watched-app.ts'

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly maxLength?: number
}

type Step = string | number

/** A value inside a body, and where it is. */
interface Place {
  readonly at: readonly Step[]
  readonly shape: Shape
  readonly value: unknown
  readonly isNullable: boolean
}

/** Everything in a body that a schema tells of, the body first. */
function placesIn(shape: Shape, value: unknown, at: readonly Step[] = []): readonly Place[] {
  const present = shape.anyOf?.find(({ type }) => type !== 'null')
  const known = present ?? shape
  const place: Place = { at, shape: known, value, isNullable: present !== undefined }
  if (Array.isArray(value)) {
    return [place, ...value.flatMap((each, n) => placesIn(known.items ?? {}, each, [...at, n]))]
  }
  if (typeof value !== 'object' || value === null) return [place]
  const members = Object.entries(value).flatMap(([name, member]) =>
    placesIn(known.properties?.[name] ?? {}, member, [...at, name]),
  )
  return [place, ...members]
}

/** The body with another value, or none, in one place. */
function replaced(body: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<Step, unknown>
  copy[step] = replaced(copy[step], rest, value)
  return copy
}

const nameOf = (at: readonly Step[]): string =>
  at
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)

const takesBody = ({ body }: Route): boolean => body !== undefined
const isStrict = (route: Route): boolean =>
  takesBody(route) && (route.body as Shape).additionalProperties !== true
const isObject = ({ value }: Place): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const placesOf = (route: Route, json: unknown) => placesIn(route.body as Shape, json)

/** Declares the tests of what every body is held to. */
export function testBodies(watchedOf: () => Watched): void {
  test('a body that is no JSON answers 400', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesBody, async (route) => {
      const { json: _, ...asked } = wellFormed(route, watched.fixtures)
      for (const payload of [
        '{',
        '{"a":1,}',
        'x',
        '{"a":1}{',
        "{'a':1}",
        '\u0000',
        '{"a":\u0001}',
      ]) {
        requireCode(await watched.ask({ ...asked, payload }), '4002', payload)
      }
    })
  })
  test('a body of another media type answers 415', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesBody, async (route) => {
      const rawRoutes = ['text/plain', 'application/octet-stream', 'application/jsonx', 'json']
      const patch = route.method === 'PATCH' ? [] : ['application/merge-patch+json']
      for (const type of [...rawRoutes, ...patch]) {
        const headers = { 'content-type': type }
        const answer = await watched.ask({ ...wellFormed(route, watched.fixtures), headers })
        requireCode(answer, '4151', type)
      }
    })
  })
  test('a body over the limit answers 413', async () => {
    const watched = watchedOf()
    const payload = JSON.stringify({ name: 'a'.repeat(bodyLimitBytes) })
    await everyRoute(watched, takesBody, async (route) => {
      const { json: _, ...asked } = wellFormed(route, watched.fixtures)
      requireCode(await watched.ask({ ...asked, payload }), '4131')
    })
  })
  test('a body that is no object answers 422', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesBody, async (route) => {
      for (const json of [[], [{}], 'text', 42, true, null]) {
        const answer = await watched.ask({ ...wellFormed(route, watched.fixtures), json })
        requireCode(answer, '4221', JSON.stringify(json))
      }
    })
  })
  testFields(watchedOf)
  testValues(watchedOf)
  testRemovals(watchedOf)
}

const isPatch = ({ method }: Route): boolean => method === 'PATCH'

function testRemovals(watchedOf: () => Watched): void {
  test('null in a patch takes away what need not be there, and is refused of all else', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isPatch, async (route) => {
      const { properties = {} } = route.body as Shape
      const asked = wellFormed(route, await watched.freshFixtures())
      // The last first: a name to sign in with can go while the email, told before it, is there.
      for (const [name, { anyOf }] of Object.entries(properties).toReversed()) {
        const answer = await watched.ask({ ...asked, json: { [name]: null } })
        if (anyOf) assert.notEqual(answer.json.error_code, '4221', `${name} ${answer.text}`)
        else {
          requireCode(answer, '4221', name)
          requireNamed(answer, name)
        }
      }
    })
  })
}

function testFields(watchedOf: () => Watched): void {
  test('a field that nobody knows answers 422 and is named', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isStrict, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      for (const { at } of placesOf(route, asked.json).filter(isObject)) {
        for (const name of ['no_such_field', '__proto__', 'constructor', '']) {
          const field = [...at, name]
          const answer = await watched.ask({ ...asked, payload: withMember(asked.json, at, name) })
          requireCode(answer, '4221', nameOf(field))
          requireNamed(answer, nameOf(field))
        }
      }
    })
  })
  test('a required field that is missing answers 400 and is named', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isStrict, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      for (const { at, shape } of placesOf(route, asked.json).filter(isObject)) {
        for (const name of shape.required ?? []) {
          const json = replaced(asked.json, [...at, name], undefined)
          const answer = await watched.ask({ ...asked, json })
          requireCode(answer, '4001', name)
          requireNamed(answer, nameOf([...at, name]))
        }
      }
    })
  })
}

/** The text of a body with one member more, whatever its name does to objects of the language. */
function withMember(body: unknown, at: readonly Step[], name: string): string {
  const mark = 'the place of one more'
  const marked = JSON.stringify(replaced(body, [...at, mark], 1))
  return marked.replace(JSON.stringify(mark), JSON.stringify(name))
}

/** Wrong values of what a schema tells of, each with what is wrong about it. */
function wrongValues({ shape, value, isNullable }: Place): readonly unknown[] {
  const anyway = [...(isNullable ? [] : [null]), Array.isArray(value) ? {} : []]
  switch (typeof value) {
    case 'string': {
      const tooLong = shape.maxLength === undefined ? [] : ['a'.repeat(shape.maxLength + 1)]
      return [...anyway, 'a\u0000b', 'a\ud800b', '\udc00', 1, true, {}, ...tooLong]
    }
    case 'number':
      return [...anyway, 'text', '1', -1, 1.2345, 1e308, 2 ** 53, true, {}]
    default:
      return [...anyway, 'text', 1]
  }
}

function testValues(watchedOf: () => Watched): void {
  test('a value of a wrong kind answers 422 and is named; NUL and half characters too', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isStrict, async (route) => {
      const asked = wellFormed(route, watched.fixtures)
      for (const place of placesOf(route, asked.json).slice(1)) {
        for (const wrong of wrongValues(place)) {
          const json = replaced(asked.json, place.at, wrong)
          const answer = await watched.ask({ ...asked, json })
          requireCode(answer, '4221', `${nameOf(place.at)} = ${JSON.stringify(wrong)}`)
          requireNamed(answer, nameOf(place.at))
        }
      }
    })
  })
  test('an empty body is refused or stands for nothing, and never fails', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesBody, async (route) => {
      const { json: _, ...asked } = wellFormed(route, watched.fixtures)
      const required = (route.body as Shape).required ?? []
      if (required.length > 0) requireCode(await watched.ask({ ...asked, payload: '' }), '4002')
    })
  })
}
