import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Db, openStore } from '#db/database.ts'
import { testPassword } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  type Caller,
  callerOf,
  type Deployment,
  openDeployment,
  signIn,
} from '#test/support/services/server.ts'

const people = 12
/** The server dies as soon as so many have been told that they are erased: one round each. */
const toldBefore = [1, 4, 8]

interface ErasureOptions extends Caller {
  readonly id: number
}

/** Somebody new who is signed in, has made a key, and calls by a connection of their own. */
async function newcomer(url: string, username: string): Promise<ErasureOptions> {
  const stranger = callerOf(url)
  const body = { name: 'Zebulon', username, password: testPassword }
  const { json } = await stranger.request('POST', '/users', body)
  const token = await signIn(stranger.request, { username, password: testPassword })
  stranger.close()
  const caller = callerOf(url, token)
  assert.equal((await caller.request('POST', '/api-keys', { name: 'Till' })).status, 201)
  return { ...caller, id: json.id }
}

/** Has everybody ask to be erased and kills the server meanwhile; who was told that it is done. */
async function eraseAndKill(deployment: Deployment, most: number): Promise<Map<number, boolean>> {
  const server = deployment.start()
  const url = await server.url
  const names = Array.from({ length: people }, (_, at) => `leaver-${most}-${at}`)
  const dataSubjects = await Promise.all(names.map((name) => newcomer(url, name)))
  const told = new Map<number, boolean>()
  const leave = async ({ id, request }: ErasureOptions): Promise<void> => {
    const answer = await request('POST', '/user/delete', {}).catch(() => undefined)
    told.set(id, answer?.status === 202)
    if ([...told.values()].filter(Boolean).length === most) server.process.kill('SIGKILL')
  }
  // Some at once and some after them, or one COMMIT would take them all.
  const lines = Array.from({ length: 3 }, async (_, line) => {
    for (const dataSubject of dataSubjects.filter((_, at) => at % 3 === line))
      await leave(dataSubject)
  })
  await Promise.all(lines)
  await server.ended
  for (const { close } of dataSubjects) close()
  return told
}

/** What is left of a user: the name, and how much of what belongs to nobody else. */
async function traceOf(db: Db, id: number) {
  const { name, deleted_at } = await db
    .selectFrom('users')
    .select(['name', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const counts = await Promise.all(
    (['sessions', 'refresh_tokens', 'api_keys'] as const).map((table) =>
      db.selectFrom(table).select('user_id').where('user_id', '=', id).execute(),
    ),
  )
  return { name, isErased: deleted_at !== null, left: counts.map(({ length }) => length) }
}

describe('a server that is killed while it erases', { concurrency: true }, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const skip = skipReason(kind)
    test(`on ${kind} has erased each user wholly or not at all, and all who were told`, {
      skip,
    }, async (t) => {
      const deployment = await openDeployment(kind, { settings: { ERASE_GRACE_DAYS: '0' } })
      t.after(deployment.dispose)
      let erased = 0
      for (const most of toldBefore) {
        const told = await eraseAndKill(deployment, most)
        const store = await openStore(deployment.databaseUrl)
        for (const [id, isTold] of told) {
          const { name, isErased, left } = await traceOf(store.db, id)
          if (isTold) assert.ok(isErased, `${id} was told so and is there`)
          if (isErased) assert.deepEqual([name, left], ['Deleted user', [0, 0, 0]])
          else assert.deepEqual([name, left], ['Zebulon', [1, 1, 1]])
          erased += Number(isErased)
        }
        await store.close()
      }
      t.diagnostic(`${erased} of ${toldBefore.length * people} were erased`)
    })
  }
})
