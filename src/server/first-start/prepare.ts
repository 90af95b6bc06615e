import { randomBytes } from 'node:crypto'
import { eraseDigestSecrets } from '#shop/access/digest/cleanup.ts'
import type { DigestSecrets } from '#shop/access/digest/secrets.ts'
import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import type { Config } from '#src/config/config.ts'
import { insertDemo } from '#src/demo/insert.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import type { Store } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { requireStoredDigits, storeDigits } from './currency.ts'
import { updateDerivedTexts } from './derived-texts.ts'
import { createAdmin } from './first-admin.ts'
import { initializeOnce } from './initialize-once.ts'
import { requireStrongPassword } from './password-rule.ts'
import { initializePrices } from './prices.ts'

/** The administrator that the first start created; `password` is set only when it was generated. */
export interface FirstAdmin {
  readonly username: string
  readonly password: string | undefined
}

type PasswordHashing = Pick<Passwords, 'hash' | 'isCommon'> & Pick<DigestSecrets, 'make'>

/**
 * Migrates the database and, at the first start, creates the administrator and the demo data.
 * Returns a new administrator.
 */
export async function prepareData(
  store: Store,
  config: Config,
  hashing: PasswordHashing,
): Promise<FirstAdmin | undefined> {
  await store.migrate(tableDeclarations)
  if (config.digest === 'off' && (await eraseDigestSecrets(store.db)) > 0)
    await store.purgeDeletedRows()
  const { adminUsername: username, adminPassword, currency, orderPrefix } = config
  const generated = adminPassword === undefined ? randomBytes(16).toString('base64url') : undefined
  const now = Date.now()
  let isCreated = false
  const shop = { currency, currencyDigits: currencyDigits(currency), orderPrefix }
  await updateDerivedTexts(store)
  await requireStoredDigits(store, shop)
  await initializePrices(store, { ...shop, pricesIncludeTax: config.pricesIncludeTax }, now)
  await initializeOnce(store, { name: 'currency', value: currency }, async (db) => {
    await storeDigits(db, shop)
    if (adminPassword !== undefined) {
      const names = [username, config.shopName]
      await requireStrongPassword(hashing, 'ADMIN_PASSWORD', adminPassword, names)
    }
    const credentials = { username, password: adminPassword ?? generated ?? '' }
    isCreated = await createAdmin(db, credentials, hashing, now)
    if (!config.demoData) return
    await insertDemo(db, shop, now)
  })
  return isCreated ? { username, password: generated } : undefined
}
