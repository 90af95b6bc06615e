import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#kernel/verb.ts'
import { everyRoute, requireCode, type Watched, wellFormed } from './promises-watch.ts'

const takesKey = ({ method, keepsAnswers = true }: Route): boolean =>
  keepsAnswers && (method === 'POST' || method === 'PATCH')

let keys = 0

/** Declares the tests of what an Idempotency-Key does, whatever the route. */
export function promiseRepeats(watchedOf: () => Watched): void {
  test('every POST and PATCH sent again with its key is answered as it was', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesKey, async (route) => {
      const scene = await watched.freshScene()
      const headers = { 'idempotency-key': `promise-${keys++}` }
      const asked = { ...wellFormed(route, scene), headers }
      const first = await watched.ask(asked)
      const again = await watched.ask(asked)
      // Whoever was not let in may come back with better credentials.
      if (first.status === 401) return
      assert.equal(`${again.status} ${again.text}`, `${first.status} ${first.text}`)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.headers['location'], first.headers['location'])
      const { json, ...other } = asked
      requireCode(await watched.ask({ ...other, payload: `${JSON.stringify(json)} ` }), '4222')
    })
  })
  test('every POST and PATCH refuses a key without a character', async () => {
    const watched = watchedOf()
    await everyRoute(watched, takesKey, async (route) => {
      const scene = await watched.freshScene()
      const headers = { 'idempotency-key': '""' }
      requireCode(await watched.ask({ ...wellFormed(route, scene), headers }), '4001')
    })
  })
}
