import { randomBytes } from 'node:crypto'
import { eraseDigestSecrets } from '#auth/re-encryption/digest-cleanup.ts'
import type { Store } from '#db/database.ts'
import type { DigestSecrets, Passwords } from '#resources/dependencies.ts'
import type { Config } from '#src/config/config.ts'
import { insertDemo } from '#src/demo/insert.ts'
import { currencyDigits } from '#values/money.ts'
import { createAdmin } from './first-admin.ts'
import { initializeOnce } from './once.ts'
import { requireStrongPassword } from './password-rule.ts'

/** The administrator that the first start created; `password` is set only when it was generated. */
export interface FirstAdmin {
  readonly username: string
  readonly password: string | undefined
}

type PasswordHashing = Pick<Passwords, 'hash' | 'isCommon'> & Pick<DigestSecrets, 'make'>

/** Migrates the database and, at the first start, creates the administrator and the demo data. Returns a new administrator. */
export async function prepareData(
  store: Store,
  config: Config,
  hashing: PasswordHashing,
): Promise<FirstAdmin | undefined> {
  await store.migrate()
  if (config.digest === 'off' && (await eraseDigestSecrets(store.db)) > 0)
    await store.purgeDeletedRows()
  const { adminUsername: username, adminPassword, currency } = config
  const generated = adminPassword === undefined ? randomBytes(16).toString('base64url') : undefined
  const now = Date.now()
  let isCreated = false
  await initializeOnce(store, currency, async (db) => {
    if (adminPassword !== undefined) {
      await requireStrongPassword(hashing, 'ADMIN_PASSWORD', adminPassword, [username])
    }
    const credentials = { username, password: adminPassword ?? generated ?? '' }
    isCreated = await createAdmin(db, credentials, hashing, now)
    if (!config.demoData) return
    await insertDemo(db, { currency, currencyDigits: currencyDigits(currency) }, now)
  })
  return isCreated ? { username, password: generated } : undefined
}
