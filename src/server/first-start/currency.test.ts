import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { createPasswordHasher } from '#shop/accounts/passwords/hash.ts'
import { defaultMethods } from '#shop/checkout/shipping-methods.ts'
import { readConfig } from '#src/config/config.ts'
import { StartError } from '#src/server/start-error.ts'
import { eachDatabase } from '#test/support/app.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { currencyDigits } from '#values/money.ts'
import { prepareData } from './prepare.ts'

eachDatabase((kind) => {
  const { make } = createDigestSecrets(['a secret key of this test'], 'off')
  const start = async ({ store }: TemporaryStore, currency: string) => {
    const config = readConfig({
      CURRENCY: currency,
      DEMO_DATA: 'off',
      ADMIN_PASSWORD: 'adminadmin1',
    })
    await prepareData(store, config, { ...createPasswordHasher(), make })
  }
  const storedDigits = async ({ store }: TemporaryStore) => {
    const query = store.db.selectFrom('settings').select('value')
    return (await query.where('name', '=', 'currency_digits').executeTakeFirst())?.value
  }
  /** A shop whose first start did not store the decimals, and had these. */
  const startBefore = async (opened: TemporaryStore, currency: string, digits: number) => {
    await start(opened, currency)
    const { db } = opened.store
    await db.deleteFrom('settings').where('name', '=', 'currency_digits').execute()
    for (const { code, price } of defaultMethods(digits)) {
      await db.updateTable('shipping_methods').set({ price }).where('code', '=', code).execute()
    }
  }
  const rejects = (opened: TemporaryStore, currency: string, message: RegExp) =>
    assert.rejects(start(opened, currency), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /\n/)
      return true
    })

  for (const currency of ['EUR', 'HUF', 'RSD', 'JPY', 'KWD']) {
    test(`the first start stores the decimals of ${currency}, and later ones keep them`, async () => {
      const opened = await openTemporaryStore(kind)
      for (let starts = 0; starts < 2; starts += 1) {
        await start(opened, currency)
        assert.equal(await storedDigits(opened), String(currencyDigits(currency)))
      }
      await opened.dispose()
    })
  }

  test('a start with other decimals, or with another currency, is refused', async () => {
    const opened = await openTemporaryStore(kind)
    await start(opened, 'HUF')
    await opened.store.db
      .updateTable('settings')
      .set({ value: '0' })
      .where('name', '=', 'currency_digits')
      .execute()
    await rejects(opened, 'HUF', /^CURRENCY: .* have 0 decimals, and HUF has 2/)
    await rejects(opened, 'JPY', /^CURRENCY must be HUF, not JPY/)
    await opened.dispose()
  })

  test('a shop from before they were stored gets those of its amounts', async () => {
    const opened = await openTemporaryStore(kind)
    await startBefore(opened, 'HUF', 2)
    await start(opened, 'HUF')
    assert.equal(await storedDigits(opened), '2')
    await opened.dispose()
  })

  test('a shop whose amounts the runtime scaled otherwise is refused', async () => {
    const opened = await openTemporaryStore(kind)
    await startBefore(opened, 'RSD', 0)
    await rejects(opened, 'RSD', /^CURRENCY: .* have 0 decimals, and RSD has 2/)
    assert.equal(await storedDigits(opened), undefined)
    await opened.dispose()
  })

  test('a shop that does not tell them is refused where runtimes differed, and only there', async () => {
    for (const [currency, isRefused] of [
      ['HUF', true],
      ['EUR', false],
    ] as const) {
      const opened = await openTemporaryStore(kind)
      await startBefore(opened, currency, 2)
      await opened.store.db.updateTable('shipping_methods').set({ revision: 2 }).execute()
      if (isRefused) await rejects(opened, currency, /^CURRENCY: the decimals .* are unknown/)
      else await start(opened, currency)
      await opened.dispose()
    }
  })
})
