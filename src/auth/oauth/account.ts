import type { Db } from '#db/database.ts'
import { toIdentifier } from '#values/identifier.ts'
import { secondMs } from '#values/instant.ts'
import { findPerson } from './store.ts'

/** What clients are told of an active user (OpenID Connect Core 5.1); undefined for anybody else. */
export async function accountOf(db: Db, sub: string) {
  const id = toIdentifier(sub)
  const person = id === undefined ? undefined : await findPerson(db, id)
  if (!person) return undefined
  const { name, username, email, updated_at } = person
  return {
    accountId: sub,
    claims: async () => ({
      sub,
      name,
      ...(username === null ? {} : { preferred_username: username }),
      ...(email === null ? {} : { email, email_verified: false }),
      updated_at: Math.floor(updated_at / secondMs),
    }),
  }
}
