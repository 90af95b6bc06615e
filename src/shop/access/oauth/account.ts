import type { Db } from '#store/database.ts'
import { toIdentifier } from '#values/identifier.ts'
import { secondMs } from '#values/instant.ts'
import { findActiveUser } from './store.ts'

/** The account of an active user with its standard claims (OpenID Connect Core 5.1); else undefined. */
export async function findAccount(db: Db, sub: string) {
  const id = toIdentifier(sub)
  const user = id === undefined ? undefined : await findActiveUser(db, id)
  if (!user) return undefined
  const { name, username, email, email_verified, updated_at } = user
  return {
    accountId: sub,
    claims: async () => ({
      sub,
      name,
      ...(username === null ? {} : { preferred_username: username }),
      ...(email === null ? {} : { email, email_verified: email_verified === 1 }),
      updated_at: Math.floor(updated_at / secondMs),
    }),
  }
}
