import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { type Child, stopping } from '../child.ts'
import { runLoad, type Scenario } from '../load.ts'
import { root } from '../place.ts'
import { withDatabase } from '../postgres/databases.ts'
import type { Line } from '../report.ts'
import { administrator, logIn } from '../shop.ts'
import { startServerOver } from '../subjects.ts'
import { lineOf } from './line.ts'
import { type Asked, read, requestsOf } from './requests.ts'

/** How large the two are, and how long each request is asked of them. */
export interface GrowthOptions {
  readonly small: number
  readonly large: number
  readonly seconds: number
  readonly rounds: number
  readonly directory: string
  readonly entry: string
}

/** A server over a filled database. */
interface Grown {
  readonly child: Child
  readonly requests: readonly Asked[]
}

/** Where the small database is, and the large one. */
export type Pair = readonly [small: string, large: string]

/** Compares two SQLite files, made for the run. */
export function measureGrowthOnSqlite(options: GrowthOptions): Promise<Line[]> {
  const urlOf = (name: string) => `sqlite:${resolve(options.directory, `${name}.db`)}`
  return measureGrowth(options, [urlOf('small'), urlOf('large')])
}

/** Compares two databases of PostgreSQL, made beside the one of `url` and dropped after. */
export function measureGrowthOnPostgres(options: GrowthOptions, url: string): Promise<Line[]> {
  const nameOf = (size: string) => `cartwright_growth_${size}_${process.pid}`
  return withDatabase(url, nameOf('small'), (small) =>
    withDatabase(url, nameOf('large'), (large) => measureGrowth(options, [small, large])),
  )
}

/** Fills both where they are not, and asks servers over them the same in alternation. */
export async function measureGrowth(options: GrowthOptions, databases: Pair): Promise<Line[]> {
  const [ofSmall, ofLarge] = databases
  const small = await grow(ofSmall, options.small, options)
  return stopping(small.child, async () => {
    const large = await grow(ofLarge, options.large, options)
    return stopping(large.child, () => compareAll(options, ofLarge, small, large))
  })
}

async function compareAll(
  options: GrowthOptions,
  url: string,
  small: Grown,
  large: Grown,
): Promise<Line[]> {
  const on = url.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL'
  process.stdout.write(`measuring growth on ${on}\n`)
  const lines: Line[] = []
  for (const [at, { name, aim }] of small.requests.entries()) {
    const [smallMs, largeMs] = await medians(options, [small, large], at)
    lines.push(lineOf({ name, aim, smallMs, largeMs }, { ...options, on }))
  }
  return lines
}

/** Fills a database that has fewer products, and starts a server over it. */
async function grow(url: string, size: number, options: GrowthOptions): Promise<Grown> {
  const { entry, directory } = options
  const log = `server-${size}.log`
  const child = await startServerOver({ entry, url, directory, log })
  const token = await logIn(child, administrator)
  const { pagination } = await read(child, token, '/products?limit=1')
  if (pagination.total_items < size) {
    await child.stop()
    const counts = ['--products', size, '--users', Math.ceil(size / 10), '--orders', size]
    const seed = [resolve(root, 'src/cli/seed.ts'), ...counts.map(String)]
    const env = { ...process.env, DATABASE_URL: url }
    const { status } = spawnSync(process.execPath, seed, { cwd: directory, env, stdio: 'inherit' })
    if (status !== 0) throw new Error('a database could not be filled')
    return await grow(url, size, options)
  }
  return { child, requests: await requestsOf(child, token, size) }
}

/** Both sizes in alternation, one request at a time; the least of the rounds' medians. */
async function medians(
  { seconds, rounds }: GrowthOptions,
  both: readonly [Grown, Grown],
  at: number,
): Promise<readonly [number, number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round <= rounds; round += 1) {
    for (const [side, { child, requests }] of both.entries()) {
      const scenario = requests[at]?.scenario
      if (!scenario) throw new Error('both are asked the same')
      const p50Ms = await medianOf(child, scenario, seconds)
      // The first round warms up.
      if (round > 0) least[side] = Math.min(least[side] ?? p50Ms, p50Ms)
    }
  }
  return least
}

/** The median of so many seconds, or of more where nothing came to its end within them. */
async function medianOf(child: Child, scenario: Scenario, seconds: number): Promise<number> {
  const { p50Ms } = await runLoad({ port: child.port, connections: 1, seconds, scenario })
  return Number.isNaN(p50Ms) ? medianOf(child, scenario, seconds * 2) : p50Ms
}
