import { exitOnUsageError, readArguments } from '#src/cli/arguments.ts'
import { natsSkipReason } from '#test/support/services/brokers/nats.ts'
import { rabbitSkipReason } from '#test/support/services/brokers/rabbitmq.ts'
import { type StoreKind, skipReason } from '#test/support/services/databases.ts'
import { ownPostgresSkipReason, startOwnPostgres } from '#test/support/services/own-postgres.ts'
import { findService, services } from '#test/support/services/services.ts'
import { runBackups } from './scenarios/backups.ts'
import { runCrashes } from './scenarios/crashes.ts'
import { faultyDiskSkipReason, runDiskFaults } from './scenarios/disk-failure.ts'
import { runEventSinks } from './scenarios/event-sinks.ts'
import { runPaymentFaults } from './scenarios/payment-faults.ts'
import { runOutages } from './scenarios/postgres-outage.ts'
import { killPoints, runRefundKills } from './scenarios/refund-kills.ts'
import { orderSameProduct } from './scenarios/same-product.ts'
import { runSilentProvider } from './scenarios/silent-provider.ts'

/** A fault at full duration. */
interface FaultRun {
  readonly name: string
  readonly skip: string | false
  readonly run: (log: (line: string) => void) => Promise<void>
}

const outages = [
  { outage: 'connections killed', awayMs: 0 },
  { outage: 'restarted', awayMs: 1000 },
  { outage: 'restarted', awayMs: 30_000 },
  { outage: 'crashed', awayMs: 10_000 },
] as const

const backupCount = 20
const kindsOnDisk = ['sqlite', 'postgres'] as const satisfies readonly StoreKind[]

const faultRuns = (kills: number): readonly FaultRun[] => [
  ...kindsOnDisk.map((kind) => ({
    name: `kills on ${kind}`,
    skip: skipReason(kind),
    run: (log: (line: string) => void) => runCrashes(kind, kills, log),
  })),
  ...kindsOnDisk.map((kind) => ({
    name: `payments by Stripe on ${kind}`,
    skip: skipReason(kind),
    run: (log: (line: string) => void) => runPaymentFaults(kind, kills, log),
  })),
  ...kindsOnDisk.map((kind) => ({
    name: `kills in refunds on ${kind}`,
    skip: skipReason(kind),
    run: (log: (line: string) => void) =>
      runRefundKills(kind, Math.ceil(kills / killPoints.length), log),
  })),
  ...kindsOnDisk.map((kind) => ({
    name: `32 connections on ${kind}`,
    skip: skipReason(kind),
    run: async (log: (line: string) => void) =>
      log(JSON.stringify(await orderSameProduct(kind, kind === 'sqlite' ? 1 : 2, 5000))),
  })),
  ...kindsOnDisk.map((kind) => ({
    name: `backups of ${kind}`,
    skip: skipReason(kind),
    run: (log: (line: string) => void) => runBackups(kind, backupCount, log),
  })),
  {
    name: 'event sinks on postgres',
    skip: skipReason('postgres') || natsSkipReason() || rabbitSkipReason(),
    run: (log) => runEventSinks({ kind: 'postgres', processes: 3, events: 100_000, kills: 5 }, log),
  },
  {
    name: 'event sinks on sqlite',
    skip: natsSkipReason() || rabbitSkipReason(),
    run: (log) => runEventSinks({ kind: 'sqlite', processes: 1, events: 20_000, kills: 4 }, log),
  },
  {
    name: 'outages of postgres',
    skip: ownPostgresSkipReason(),
    run: async (log) => {
      const postgres = await startOwnPostgres()
      try {
        for (const figures of await runOutages(postgres, outages)) log(JSON.stringify(figures))
      } finally {
        await postgres.dispose()
      }
    },
  },
  {
    name: 'disk of sqlite',
    skip: faultyDiskSkipReason(),
    run: async (log) => {
      const faults = ['full', 'sync', 'full', 'sync'] as const
      for (const figures of await runDiskFaults(faults, 5000)) log(JSON.stringify(figures))
    },
  },
  {
    name: 'silent provider',
    skip: false,
    run: async (log) => log(JSON.stringify(await runSilentProvider('sqlite', 100, 60_000))),
  },
]

const command = {
  usage: 'npm run faults -- [--kills NUMBER] [--only PART-OF-A-NAME]',
  description: 'Runs every fault of docs/reliability.md at full length.',
  options: {
    kills: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
} as const

/** Runs every fault at full duration, or those whose names contain `--only`; true if all pass. */
async function main(): Promise<boolean> {
  const { values } = exitOnUsageError(() => readArguments(command))
  for (const service of services) {
    const { variable, location } = await findService(service, {
      ...process.env,
      TEST_SERVICES: 'all',
    })
    if (location !== undefined) process.env[variable] = location
  }
  let hasPassed = true
  for (const { name, skip, run } of faultRuns(Number(values.kills))) {
    if (!name.includes(values.only)) continue
    const startedAt = performance.now()
    console.log(`\n${name}${skip ? `: SKIPPED, ${skip}` : ''}`)
    if (skip) continue
    try {
      await run((line) => console.log(`  ${line}`))
      console.log(`  passed in ${Math.round((performance.now() - startedAt) / 1000)} s`)
    } catch (error) {
      hasPassed = false
      console.error('  FAILED', error)
    }
  }
  return hasPassed
}

process.exitCode = (await main()) ? 0 : 1
