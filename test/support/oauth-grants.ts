import { randomUUID } from 'node:crypto'
import { payloadAdapter } from '#shop/access/oauth/storage/adapter.ts'
import { createCipher } from '#src/secrets/encryption.ts'
import { dayMs, secondMs } from '#values/instant.ts'
import { type TestApp, testSecretKey } from './app.ts'

const cipher = createCipher([testSecretKey])

/** Stores a grant of 90 days, as oidc-provider does after a user has consented. */
export async function insertGrant(
  { db, now }: Pick<TestApp, 'db' | 'now'>,
  userId: number,
  clientId: string,
  scope: string,
): Promise<void> {
  const options = { db, cipher, clock: () => now, reuseError: () => new Error('used twice') }
  const jti = randomUUID()
  const payload = { kind: 'Grant', jti, accountId: String(userId), clientId, openid: { scope } }
  await payloadAdapter('Grant', options).upsert(jti, payload, (90 * dayMs) / secondMs)
}
