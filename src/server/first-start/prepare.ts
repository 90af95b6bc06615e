import { randomBytes } from 'node:crypto'
import { eraseDigestSecrets } from '#auth/re-encryption/digest-cleanup.ts'
import type { Store } from '#db/database.ts'
import type { Digests, Passwords } from '#resources/dependencies.ts'
import type { Config } from '#src/config/config.ts'
import { insertDemo } from '#src/demo/insert.ts'
import { currencyDigits } from '#values/money.ts'
import { createAdmin } from './first-admin.ts'
import { initializeOnce } from './once.ts'
import { requireUnguessable } from './password-rule.ts'

/** The administrator that the first start made; `password` only where nobody else knows it. */
export interface FirstAdmin {
  readonly username: string
  readonly password: string | undefined
}

/** How passwords are kept. */
type PasswordOptions = Pick<Passwords, 'hash' | 'isCommon'> & Pick<Digests, 'make'>

/** Brings the database up to date and, at its first start, makes the administrator and the demo shop. */
export async function prepareData(
  store: Store,
  config: Config,
  keeping: PasswordOptions,
): Promise<FirstAdmin | undefined> {
  await store.migrate()
  if (config.digest === 'off' && (await eraseDigestSecrets(store.db)) > 0) await store.scrub()
  const { adminUsername: username, adminPassword, currency } = config
  const made = adminPassword === undefined ? randomBytes(16).toString('base64url') : undefined
  const now = Date.now()
  let isMade = false
  await initializeOnce(store, currency, async (db) => {
    if (adminPassword !== undefined) {
      await requireUnguessable(keeping, 'ADMIN_PASSWORD', adminPassword, [username])
    }
    const credentials = { username, password: adminPassword ?? made ?? '' }
    isMade = await createAdmin(db, credentials, keeping, now)
    if (!config.demoData) return
    await insertDemo(db, { currency, currencyDigits: currencyDigits(currency) }, now)
  })
  return isMade ? { username, password: made } : undefined
}
