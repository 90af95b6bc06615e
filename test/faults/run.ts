import { parseArgs } from 'node:util'
import { type StoreKind, whyUntested } from '#test/support/services/databases.ts'
import { startOwnPostgres, whyNoOwnPostgres } from '#test/support/services/own-postgres.ts'
import { findService, services } from '#test/support/services/services.ts'
import { crashAgainAndAgain } from './scenarios/crashes.ts'
import { sufferDiskFaults, whyNoFaultyDisk } from './scenarios/disk-failure.ts'
import { sufferOutages } from './scenarios/postgres-outage.ts'
import { fightForStock } from './scenarios/same-product.ts'
import { sufferSilence } from './scenarios/silent-provider.ts'

/** A fault, at its full length. */
interface Trial {
  readonly name: string
  readonly skip: string | false
  readonly run: (say: (line: string) => void) => Promise<void>
}

const outages = [
  { outage: 'connections killed', awayMs: 0 },
  { outage: 'restarted', awayMs: 1000 },
  { outage: 'restarted', awayMs: 30_000 },
  { outage: 'crashed', awayMs: 10_000 },
] as const

const kindsOnDisk = ['sqlite', 'postgres'] as const satisfies readonly StoreKind[]

const trials = (kills: number): readonly Trial[] => [
  ...kindsOnDisk.map((kind) => ({
    name: `kills on ${kind}`,
    skip: whyUntested(kind),
    run: (say: (line: string) => void) => crashAgainAndAgain(kind, kills, say),
  })),
  ...kindsOnDisk.map((kind) => ({
    name: `32 connections on ${kind}`,
    skip: whyUntested(kind),
    run: async (say: (line: string) => void) =>
      say(JSON.stringify(await fightForStock(kind, kind === 'sqlite' ? 1 : 2, 5000))),
  })),
  {
    name: 'outages of postgres',
    skip: whyNoOwnPostgres(),
    run: async (say) => {
      const postgres = await startOwnPostgres()
      try {
        for (const figures of await sufferOutages(postgres, outages)) say(JSON.stringify(figures))
      } finally {
        await postgres.dispose()
      }
    },
  },
  {
    name: 'disk of sqlite',
    skip: whyNoFaultyDisk(),
    run: async (say) => {
      const faults = ['full', 'sync', 'full', 'sync'] as const
      for (const figures of await sufferDiskFaults(faults, 5000)) say(JSON.stringify(figures))
    },
  },
  {
    name: 'silent provider',
    skip: false,
    run: async (say) => say(JSON.stringify(await sufferSilence('sqlite', 100, 60_000))),
  },
]

/** Lets every fault happen at its full length, or those whose names hold `--only`. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      only: { type: 'string', default: '' },
    },
  })
  for (const service of services) {
    const { variable, place } = await findService(service, process.env)
    if (place !== undefined) process.env[variable] = place
  }
  let isSound = true
  for (const { name, skip, run } of trials(Number(values.kills))) {
    if (!name.includes(values.only)) continue
    const startedAt = performance.now()
    console.log(`\n${name}${skip ? `: SKIPPED, ${skip}` : ''}`)
    if (skip) continue
    try {
      await run((line) => console.log(`  ${line}`))
      console.log(`  held, in ${Math.round((performance.now() - startedAt) / 1000)} s`)
    } catch (error) {
      isSound = false
      console.error('  FAILED', error)
    }
  }
  return isSound
}

process.exitCode = (await main()) ? 0 : 1
