import { tableDeclarations } from '#src/server/tables.ts'
import { openStore } from '#store/database.ts'
import { applyRandomChange } from '#test/support/shop/random-changes.ts'

// A process that tests start: `database-process.ts migrate|write|change URL`.
const [, , task, url] = process.argv
const store = await openStore(url ?? '')

if (task === 'migrate') {
  process.stdout.write(JSON.stringify(await store.migrate(tableDeclarations)))
  await store.close()
} else if (task === 'change') {
  await Promise.all(Array.from({ length: 6 }, changeForever))
} else {
  await Promise.all(Array.from({ length: 16 }, (_, lane) => writeForever(lane)))
}

/** Changes counted tables, three times per transaction, and prints a line after each transaction. */
async function changeForever(): Promise<never> {
  for (;;) {
    const outcome = store.transaction(async (db) => {
      for (let count = 0; count < 3; count += 1) await applyRandomChange(db, Math.random)
      if (Math.random() < 0.3) throw new Error('rolled back')
    })
    // Concurrent transactions may deadlock, which rolls one of them back.
    await outcome.catch(() => undefined)
    process.stdout.write('changed\n')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Inserts one setting per transaction and prints its name once the transaction is committed. */
async function writeForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const name = `${lane}-${count}`
    await store.transaction((db) =>
      db.insertInto('settings').values({ name, value: 'written' }).execute(),
    )
    process.stdout.write(`${name}\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
