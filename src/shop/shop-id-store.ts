import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import { settings } from '#store/own-tables.ts'

const name = 'shop_id'

/** Gives a new shop what tells it from others in files that any shop may import: a UUID. */
export const createShopId = (db: Db): Promise<void> =>
  settings.insertAll(db, [{ name, value: randomUUID() }])

/** Returns what tells this shop from others in files. */
export const readShopId = async (db: Db): Promise<string> =>
  (await settings.find(db, { name }))?.value ?? ''
