import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Db, openStore } from '#store/database.ts'
import { testPassword } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  signIn,
} from '#test/support/services/server.ts'

const userCount = 12
const address = {
  recipient: 'Zebulon',
  line1: '1 High Street',
  city: 'Leeds',
  postal_code: 'LS1',
  country: 'GB',
}
/** For each round, the number of confirmed erasures after which the server is killed. */
const killAfterCounts = [1, 4, 8]

interface User extends Caller {
  readonly id: number
}

/** Creates a signed-in user with an address and a connection of their own. */
async function createUser(url: string, username: string): Promise<User> {
  const anonymous = createCaller(url)
  const body = { name: 'Zebulon', username, password: testPassword }
  const { json } = await anonymous.request('POST', '/users', body)
  const token = await signIn(anonymous.request, { username, password: testPassword })
  anonymous.close()
  const caller = createCaller(url, token)
  assert.equal((await caller.request('POST', `/users/${json.id}/addresses`, address)).status, 201)
  return { ...caller, id: json.id }
}

/**
 * Requests the erasure of all users and kills the server after `killAfter` confirmations. Returns
 * whether each user's erasure was confirmed, by user ID.
 */
async function eraseAndKill(
  deployment: Deployment,
  killAfter: number,
): Promise<Map<number, boolean>> {
  const server = deployment.start()
  const url = await server.url
  const names = Array.from({ length: userCount }, (_, index) => `user-${killAfter}-${index}`)
  const users = await Promise.all(names.map((name) => createUser(url, name)))
  const confirmed = new Map<number, boolean>()
  const erase = async ({ id, request }: User): Promise<void> => {
    const response = await request('POST', '/user/delete', {}).catch(() => undefined)
    confirmed.set(id, response?.status === 202)
    if ([...confirmed.values()].filter(Boolean).length === killAfter) server.process.kill('SIGKILL')
  }
  // Three sequences in parallel; all at once would share a single COMMIT.
  const sequences = Array.from({ length: 3 }, async (_, sequence) => {
    for (const user of users.filter((_, index) => index % 3 === sequence)) await erase(user)
  })
  await Promise.all(sequences)
  await server.ended
  for (const { close } of users) close()
  return confirmed
}

/** Returns the name of a user and the number of their sessions, refresh tokens and addresses. */
async function readRemains(db: Db, id: number) {
  const { name, deleted_at } = await db
    .selectFrom('users')
    .select(['name', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const counts = await Promise.all(
    (['sessions', 'refresh_tokens', 'addresses'] as const).map((table) =>
      db.selectFrom(table).select('user_id').where('user_id', '=', id).execute(),
    ),
  )
  return { name, isErased: deleted_at !== null, counts: counts.map(({ length }) => length) }
}

describe('a server that is killed while it erases', { concurrency: true }, () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const skip = skipReason(kind)
    test(`on ${kind} erases each user completely or not at all, and all whose erasure it confirmed`, {
      skip,
    }, async (t) => {
      const deployment = await openDeployment(kind, { settings: { ERASE_GRACE_DAYS: '0' } })
      t.after(deployment.dispose)
      let erased = 0
      for (const killAfter of killAfterCounts) {
        const confirmed = await eraseAndKill(deployment, killAfter)
        const store = await openStore(deployment.databaseUrl)
        for (const [id, isConfirmed] of confirmed) {
          const { name, isErased, counts } = await readRemains(store.db, id)
          if (isConfirmed) assert.ok(isErased, `the erasure of ${id} was confirmed, but not done`)
          if (isErased) assert.deepEqual([name, counts], ['Deleted user', [0, 0, 0]])
          else assert.deepEqual([name, counts], ['Zebulon', [1, 1, 1]])
          erased += Number(isErased)
        }
        await store.close()
      }
      t.diagnostic(`${erased} of ${killAfterCounts.length * userCount} were erased`)
    })
  }
})
