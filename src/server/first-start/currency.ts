import { defaultMethods } from '#shop/checkout/shipping-methods.ts'
import type { Shop } from '#shop/shop.ts'
import { StartError } from '#src/server/start-error.ts'
import type { Db, Store } from '#store/database.ts'

type Currency = Pick<Shop, 'currency' | 'currencyDigits'>

// Runtimes gave these, in one version or another, fewer decimals than ISO 4217, and amounts were stored by that.
const doubtful = new Set(
  'AFN ALL AMD COP CRC GYD HUF IDR IQD IRR KPW LAK LBP MGA MMK MNT MUR PKR RSD SOS SYP TZS UZS YER'.split(
    ' ',
  ),
)

/**
 * Checks that the amounts in a database have the decimals of the currency, and stores these where a database is older
 * than that. Throws a StartError when they differ or are unknown.
 */
export const requireStoredDigits = (
  store: Pick<Store, 'transaction'>,
  currency: Currency,
): Promise<void> =>
  store.transaction(async (db) => {
    const stored = await findSettings(db)
    if (stored.get('currency') !== currency.currency) return
    const digits = stored.get('currency_digits') ?? (await findDigitsOfAmounts(db, currency))
    if (Number(digits) !== currency.currencyDigits) throw differentDigits(currency, digits)
    await storeDigits(db, currency)
  })

/** Stores the decimals of the currency, unless they are stored. */
export async function storeDigits(db: Db, { currencyDigits }: Currency): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: 'currency_digits', value: String(currencyDigits) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function findSettings(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('settings')
    .selectAll()
    .where('name', 'in', ['currency', 'currency_digits'])
    .execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** The decimals by which amounts were stored: those of a default shipping method that nobody has changed. */
async function findDigitsOfAmounts(
  db: Db,
  { currency, currencyDigits }: Currency,
): Promise<number | undefined> {
  if (!doubtful.has(currency)) return currencyDigits
  const methods = await db
    .selectFrom('shipping_methods')
    .select(['code', 'price'])
    .where('revision', '=', 1)
    .where('price', '>', 0)
    .execute()
  return [0, 2, 3].find((digits) =>
    defaultMethods(digits).some(({ code, price }) =>
      methods.some((method) => method.code === code && method.price === price),
    ),
  )
}

const differentDigits = (
  { currency, currencyDigits }: Currency,
  stored: string | number | undefined,
): StartError =>
  new StartError(
    stored === undefined
      ? `CURRENCY: the decimals of the amounts in this database are unknown, and ${currency} has ${currencyDigits}: see "Currency" in docs/operating.md`
      : `CURRENCY: the amounts in this database have ${stored} decimals, and ${currency} has ${currencyDigits}: see "Currency" in docs/operating.md`,
  )
