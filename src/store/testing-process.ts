import { openStore } from '#store/database.ts'

// Run by tests as a process of its own: `testing-process.ts migrate|write URL`.
const [, , task, url] = process.argv
const store = await openStore(url ?? '')

if (task === 'migrate') {
  process.stdout.write(JSON.stringify(await store.migrate()))
  await store.close()
} else {
  await Promise.all(Array.from({ length: 16 }, (_, lane) => writeForEver(lane)))
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
