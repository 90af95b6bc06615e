import { randomUUID } from 'node:crypto'
import type { Db } from '#store/database.ts'
import { settings } from '#store/own-tables.ts'

const name = 'shop_id'

/** Gives a new shop what tells it from others in files that any shop may import: a UUID. */
export const createShopId = (db: Db): Promise<void> =>
  settings.insertAll(db, [{ name, value: randomUUID() }])

/** It never changes, and an export asks for it with each of its parts. */
const known = new WeakMap<Db, string>()

/** Returns what tells this shop from others in files. */
export async function readShopId(db: Db): Promise<string> {
  const id = known.get(db) ?? (await settings.find(db, { name }))?.value ?? ''
  known.set(db, id)
  return id
}
