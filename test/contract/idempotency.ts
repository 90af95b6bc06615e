import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { everyRoute, requireCode, type Watched, wellFormed } from './setup/watched-app.ts'

const takesKey = ({ method, acceptsIdempotencyKey = true }: Route): boolean =>
  acceptsIdempotencyKey && (method === 'POST' || method === 'PATCH')

const isStrict = (route: Route): boolean => {
  const body = route.body as { readonly additionalProperties?: boolean } | undefined
  return takesKey(route) && body !== undefined && body.additionalProperties !== true
}

let keys = 0

/** The body of an answer but for what is shown once. */
const withoutSecrets = ({ text }: TestResponse): string =>
  text.replace(/"(key|client_secret)":"[^"]+",/, '').replace(/<(key|client_secret)>[^<]+<\/\1>/, '')

/** Declares the tests of what an Idempotency-Key does, whatever the route. */
export function testRepeats(watchedOf: () => Watched): void {
  test('every POST and PATCH sent again with its key is answered as it was', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesKey, async (route) => {
      const fixtures = await watched.freshFixtures()
      const headers = { 'idempotency-key': `promise-${keys++}` }
      const asked = { ...wellFormed(route, fixtures), headers }
      const first = await watched.ask(asked)
      const again = await watched.ask(asked)
      // Whoever was not let in may come back with better credentials.
      if (first.status === 401) return
      assert.equal(`${again.status} ${again.text}`, `${first.status} ${withoutSecrets(first)}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.headers['location'], first.headers['location'])
      const { json, ...other } = asked
      requireCode(await watched.ask({ ...other, payload: `${JSON.stringify(json)} ` }), '4222')
    })
  })
  test('every POST and PATCH keeps what it says of a body that does not fit', async () => {
    const watched = watchedOf()
    await everyRoute(watched, isStrict, async (route) => {
      const headers = { 'idempotency-key': `promise-${keys++}` }
      const sound = { ...wellFormed(route, watched.fixtures), headers }
      const asked = { ...sound, json: { ...Object(sound.json), no_such_field: 1 } }
      const first = await watched.ask(asked)
      requireCode(first, '4221')
      const again = await watched.ask(asked)
      assert.equal(`${again.status} ${again.text}`, `${first.status} ${first.text}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      requireCode(await watched.ask(sound), '4222')
    })
  })
  test('every POST and PATCH refuses a key without a character', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesKey, async (route) => {
      const fixtures = await watched.freshFixtures()
      const headers = { 'idempotency-key': '""' }
      requireCode(await watched.ask({ ...wellFormed(route, fixtures), headers }), '4001')
    })
  })
}
