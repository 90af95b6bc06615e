import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { crud } from '#http/crud.ts'
import type { Actor } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { privateCache } from '#http/declare/policy.ts'
import type { OperationKind } from '#http/declare/route.ts'
import { Id } from '#schema/words.ts'
import { createSchema } from '#store/create-schema.ts'
import { entity } from '#store/entity.ts'
import {
  databaseKinds,
  openTemporaryStore,
  skipReason,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { ownedRows } from './owned-rows.ts'

const notes = entity('test_gift_notes', {
  name: 'gift_note',
  description: 'A note that a user writes for a gift.',
  fields: { text: Type.String({ description: 'The text.', examples: ['Enjoy!'] }) },
  shown: { user_id: Id('The user whose note it is.') },
  deletes: true,
  indexes: ['user_id, id'],
  owner: { column: 'user_id', whenErased: 'delete', whenMerged: 'move' },
  encrypted: [],
  kept: 'forever',
})

const summary = 'Does something.'
const routes = crud(notes, {
  path: '/gift-notes',
  reads: 'users:read',
  writes: 'users:write',
  cache: privateCache,
  summaries: {
    ...{ list: summary, create: summary, read: summary },
    ...{ replace: summary, modify: summary, remove: summary },
  },
})
const routeOf = (kind: OperationKind) => routes.find((route) => route.kind === kind)

for (const kind of databaseKinds) {
  describe(`rows of users on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
      await temporary.store.transaction((db) => createSchema(db, [notes.declaration]))
    })
    after(() => temporary.dispose())

    const contextOf = (userId: number, role: Actor['role'], now = 1) =>
      ({ db: temporary.store.db, now, actor: { userId, role } }) as unknown as Context
    const listFor = async (ctx: Context): Promise<readonly string[]> => {
      const page = { page: 1, limit: 10, sort: 'id', order: 'asc' }
      const found = await routeOf('list')?.handle?.(ctx, { filters: {}, page })
      return (found as { readonly rows: readonly { readonly text: string }[] }).rows.map(
        ({ text }) => text,
      )
    }

    test('belong to who creates them; others do not see them, and administrators do', async () => {
      for (const [id, text] of [
        [1, 'first'],
        [2, 'second'],
      ] as const) {
        await routeOf('create')?.handle?.(contextOf(id, 'customer'), { body: { text } })
      }
      assert.deepEqual(await listFor(contextOf(1, 'customer')), ['first'])
      assert.deepEqual(await listFor(contextOf(2, 'customer')), ['second'])
      assert.deepEqual(await listFor(contextOf(3, 'admin')), ['first', 'second'])
      for (const route of ['read', 'replace', 'modify', 'remove'] as const)
        assert.equal(routeOf(route)?.access.kind, 'owner-by-entity')
      for (const route of ['list', 'create'] as const)
        assert.equal(routeOf(route)?.access.kind, 'signed-in')
    })

    test('of a guest become the next revision of those of the account, are exported, and erased', async () => {
      const { db } = temporary.store
      const { merge, erase, dataExport } = ownedRows(notes)
      await merge?.(db, { from: 1, to: 2, now: 5 })
      const moved = await notes.findAll(db, { user_id: 2 }, { order: 'id' })
      assert.deepEqual(
        moved.map(({ text, revision, updated_at }) => [text, revision, updated_at]),
        [
          ['first', 2, 5],
          ['second', 1, 1],
        ],
      )
      const exported = await dataExport?.read(db, 2, 1)
      assert.partialDeepStrictEqual(exported, { entries: [{ text: 'second' }], isComplete: false })
      await erase(db, { id: 2 } as Parameters<typeof erase>[1])
      assert.equal(await notes.count(db, {}), 0)
    })
  })
}
