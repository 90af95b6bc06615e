import { userWordTexts } from '#shop/accounts/users/derived-text.ts'
import { parentTexts, productTexts } from '#shop/catalogue/products/derived-text.ts'
import { contactKeys } from '#shop/checkout/derived-text.ts'
import { formerAddressKeys } from '#shop/messages/mails/derived-text.ts'
import { forgetProgress } from '#shop/orders/search/words-store.ts'
import type { Store } from '#store/database.ts'
import { type DerivedText, followingTexts } from '#store/derived-text.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { allTables, followingTables } from '../tables.ts'

/** All columns that follow from texts, each after those from which it follows. */
const derivedTexts: readonly DerivedText[] = [
  ...followingTables.map((table) => followingTexts(table, allTables)),
  userWordTexts,
  productTexts,
  parentTexts,
  contactKeys,
  formerAddressKeys,
]

/** To be increased when a key or the words of a text are made in another way, also by another version of the stemmers. */
const rulesVersion = 5

/** The version of the rules, and of the Unicode tables to which they are applied. */
const currentVersion = `${rulesVersion} ${process.versions['unicode']}`

const rulesOf = (version = ''): string | undefined => version.split(' ')[0]

const settingName = 'derived_texts'

/**
 * Derives the keys and words of all texts anew when another version of the rules or of Unicode made those in the
 * database. What is interrupted is done again at the next start. The words of orders are made anew by a job.
 */
export async function updateDerivedTexts(
  store: Pick<Store, 'db' | 'transaction'>,
  version = currentVersion,
): Promise<void> {
  const stored = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst()
  if (stored?.value === version) return
  if (rulesOf(stored?.value) !== rulesOf(version)) {
    for (const { forget } of derivedTexts) if (forget) await store.transaction(forget)
  }
  for (const columns of derivedTexts) await deriveAll(store, columns)
  await forgetProgress(store.db)
  await store.transaction((db) =>
    db
      .insertInto('settings')
      .values({ name: settingName, value: version })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: version }))
      .execute(),
  )
}

async function deriveAll(
  { transaction }: Pick<Store, 'transaction'>,
  { read, derive }: DerivedText,
): Promise<void> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    const rows = await transaction((db) => read(db, from))
    const deriveRows = (some: typeof rows) =>
      transaction(async (db) => {
        for (const row of some) await derive(db, row)
      })
    await deriveRows(rows).catch(async (error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      // Two texts have become one by the new rules: the later one keeps its old form.
      for (const row of rows) {
        await deriveRows([row]).catch((problem: unknown) => {
          if (!isUniqueViolation(problem)) throw problem
        })
      }
    })
    after = rows.at(-1)?.id
  }
}
