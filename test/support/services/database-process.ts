import { openStore } from '#db/database.ts'
import { trade } from '#test/support/random-trade.ts'

// Run by tests as a process of its own: `testing-process.ts migrate|write|trade URL`.
const [, , task, url] = process.argv
const store = await openStore(url ?? '')

if (task === 'migrate') {
  process.stdout.write(JSON.stringify(await store.migrate()))
  await store.close()
} else if (task === 'trade') {
  await Promise.all(Array.from({ length: 6 }, tradeForEver))
} else {
  await Promise.all(Array.from({ length: 16 }, (_, lane) => writeForEver(lane)))
}

/** Changes what is counted, several times a transaction, and says so of each that has ended. */
async function tradeForEver(): Promise<never> {
  for (;;) {
    const outcome = store.transaction(async (db) => {
      for (let act = 0; act < 3; act += 1) await trade(db, Math.random)
      if (Math.random() < 0.3) throw new Error('rolled back')
    })
    // Two that lock rows in another order may be told so by the database: one more rollback.
    await outcome.catch(() => undefined)
    process.stdout.write('traded\n')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Inserts one setting a transaction and says its name once the transaction is acknowledged. */
async function writeForEver(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const name = `${lane}-${count}`
    await store.transaction((db) =>
      db.insertInto('settings').values({ name, value: 'written' }).execute(),
    )
    process.stdout.write(`${name}\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
