import { randomUUID } from 'node:crypto'
import { openSealer } from '#auth/encryption.ts'
import { payloadsOf } from '#auth/oauth/payloads/adapter.ts'
import { dayMs, secondMs } from '#values/instant.ts'
import { type TestApp, testSecretKey } from './app.ts'

const sealer = openSealer([testSecretKey])

/** Keeps a grant for a year, as the library does after a user has consented. */
export async function giveGrant(
  { db, now }: Pick<TestApp, 'db' | 'now'>,
  userId: number,
  clientId: string,
  scope: string,
): Promise<void> {
  const keeping = { db, sealer, clock: () => now, reused: () => new Error('used twice') }
  const jti = randomUUID()
  const payload = { kind: 'Grant', jti, accountId: String(userId), clientId, openid: { scope } }
  await payloadsOf('Grant', keeping).upsert(jti, payload, (90 * dayMs) / secondMs)
}
