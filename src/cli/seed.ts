import { readSeedConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { wholeNumber } from '#src/config/setting.ts'
import { addGeneratedData } from '#src/demo/fill.ts'
import {
  type BulkKind,
  countGenerated,
  enlargePageCache,
  findCurrency,
  updateStatistics,
} from '#src/demo/store.ts'
import { updateDerivedTexts } from '#src/server/first-start/derived-texts.ts'
import { showProgress } from '#src/server/first-start/progress.ts'
import { exitWithStartError, StartError, UsageError } from '#src/server/start-error.ts'
import { openDatabase } from '#src/server/startup/database.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import type { Store } from '#store/database.ts'
import { currencyDigits } from '#values/money.ts'
import { readArguments } from './arguments.ts'

// In this order, since orders need products and users.
const kinds: readonly BulkKind[] = ['products', 'users', 'orders']

type SeedConfig = Omit<ReturnType<typeof readSeedConfig>, 'database'>

type Counts = Readonly<Partial<Record<BulkKind, number>>>

const command = {
  usage: 'npm run seed -- [--products NUMBER] [--users NUMBER] [--orders NUMBER]',
  description: 'Adds generated rows to DATABASE_URL, whose tables it creates if they are missing.',
  options: Object.fromEntries(kinds.map((kind) => [kind, { type: 'string' as const }])),
}

function readCounts(): Counts {
  const { values } = readArguments(command)
  const counts = Object.entries(values).map(
    ([kind, text]) => [kind, readCount(kind, text)] as const,
  )
  if (counts.length === 0) throw new UsageError(`usage: ${command.usage}`)
  return Object.fromEntries(counts)
}

function readCount(kind: string, text: unknown): number {
  const { expected, parse } = wholeNumber(1, 100_000_000)
  const count = parse(String(text))
  if (count === undefined) throw new UsageError(`--${kind} must be ${expected}, not ${text}`)
  return count
}

async function requireUsersAndProducts({ db }: Store, { products, users }: Counts): Promise<void> {
  if ((products ?? (await countGenerated(db, 'products'))) === 0) {
    throw new StartError('--orders needs generated products: add --products NUMBER')
  }
  if ((users ?? (await countGenerated(db, 'users'))) === 0) {
    throw new StartError('--orders needs generated users: add --users NUMBER')
  }
}

async function seed(store: Store, counts: Counts, config: SeedConfig): Promise<void> {
  await store.migrate(tableDeclarations)
  // Else the next start would derive the texts of all rows anew.
  await updateDerivedTexts(store)
  if (counts.orders !== undefined) await requireUsersAndProducts(store, counts)
  const currency = (await findCurrency(store.db)) ?? config.currency
  const { orderPrefix } = config
  const shop = { currency, currencyDigits: currencyDigits(currency), orderPrefix }
  await store.transaction(enlargePageCache)
  for (const kind of kinds) {
    const count = counts[kind]
    if (count === undefined) continue
    const progress = showProgress(process.stdout, kind, count)
    progress.end(
      await addGeneratedData(store, { kind, count, shop, now: Date.now() }, progress.report),
    )
  }
  await updateStatistics(store.db)
}

try {
  const counts = readCounts()
  loadEnvironment()
  const { database, ...config } = readSeedConfig(process.env)
  // Large batches and their statistics may take long.
  const store = await openDatabase(database, { statementTimeoutMs: 0 })
  try {
    await seed(store, counts, config)
  } finally {
    await store.close()
  }
} catch (error) {
  exitWithStartError(error)
}
