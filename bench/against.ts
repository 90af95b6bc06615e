import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '#src/server/start-error.ts'
import { capture } from './capture.ts'
import { byLoad, type Effort, measureSides } from './compare.ts'
import type { Figures } from './figures.ts'
import type { Scenario } from './load.ts'
import { createDatabase } from './postgres/database.ts'
import { type Lines, roundsLines } from './report.ts'
import { makeDirectory, root, type Server, startServer } from './server.ts'
import {
  addBuyers,
  addProducts,
  type Buyer,
  checkOut,
  placeOrders,
  readPaths,
  requirePaid,
  revalidate,
} from './shop.ts'

/** The requests by which two revisions are compared, in order. */
export const againstMeasurements = ['product', 'list', 'unchanged', 'order', 'checkout'] as const

/** The databases on which two revisions are compared. */
export const againstDatabases = ['sqlite', 'postgres'] as const

type Measurement = (typeof againstMeasurements)[number]
type Database = (typeof againstDatabases)[number]

/** Options of a comparison with another revision. */
export interface AgainstOptions extends Effort {
  /** The folder of the other revision. */
  readonly tree: string
  readonly rounds: number
  readonly wanted: readonly Measurement[]
  readonly on: ReadonlySet<Database>
  /** URL of a PostgreSQL database whose user may create others. */
  readonly url: string
  readonly directory: string
}

/** A server that is filled, and the loads on it. */
interface Shop {
  readonly server: Server
  readonly scenarios: Readonly<Record<Measurement, Scenario>>
  readonly paid: ReadonlyMap<Buyer, number>
}

/** Compares the server of this tree with that of another one, by new processes of both each round. */
export async function* measureAgainst(options: AgainstOptions): Lines {
  const { rounds, wanted } = options
  for (const on of options.on) {
    const found = new Map<Measurement, (readonly Figures[])[]>()
    for (let round = 1; round <= rounds; round += 1) {
      process.stdout.write(`measuring on ${on}, round ${round} of ${rounds}\n`)
      for (const [name, sides] of await measureRound(on, round, options)) {
        found.set(name, [...(found.get(name) ?? []), sides])
      }
    }
    for (const name of wanted) yield* roundsLines(`${on}: ${name}`, found.get(name) ?? [])
  }
}

/** Starts the two in turn: the first in every other round is this one. */
async function measureRound(on: Database, round: number, options: AgainstOptions) {
  const trees = [root, options.tree]
  const [tree = '', otherTree = ''] = round % 2 === 0 ? trees.toReversed() : trees
  await using database = await openDatabase(on, options, 'first')
  await using otherDatabase = await openDatabase(on, options, 'second')
  await using server = await startServer({ ...database, name: 'server', tree })
  await using other = await startServer({ ...otherDatabase, name: 'server', tree: otherTree })
  const shops = [await fill(server, options), await fill(other, options)]
  if (round % 2 === 0) shops.reverse()
  const found = new Map<Measurement, readonly Figures[]>()
  for (const name of options.wanted) {
    const measures = shops.map(({ server, scenarios }) =>
      byLoad([server, scenarios[name]], options),
    )
    found.set(name, await measureSides(measures, options))
  }
  for (const { server, paid } of shops) await requirePaid(server, paid)
  return found
}

/** Makes an empty database, and a directory for what else a server writes. */
async function openDatabase(on: Database, { url, directory: parent }: AgainstOptions, of: string) {
  const directory = mkdtempSync(resolve(parent, `${on}-${of}-`))
  if (on === 'postgres') {
    return { directory, ...(await createDatabase(url, `cartwright_${of}_${process.pid}`)) }
  }
  const keep = () => Promise.resolve()
  return { directory, url: `sqlite:${resolve(directory, 'shop.db')}`, [Symbol.asyncDispose]: keep }
}

/** Adds the same products and buyers to each server. */
async function fill(server: Server, { connections }: Effort): Promise<Shop> {
  const productIds = await addProducts(server)
  const shop = { productIds, buyers: await addBuyers(server, connections) }
  const paths = productIds.slice(0, 20).map((id) => `/products/${id}`)
  const paid = new Map<Buyer, number>()
  const scenarios = {
    product: readPaths(paths),
    list: readPaths(['/products?limit=20']),
    unchanged: revalidate(await Promise.all(paths.map((path) => capture(server, path)))),
    order: placeOrders(shop),
    checkout: checkOut(shop, paid),
  }
  return { server, scenarios, paid }
}

/**
 * Returns the folder of a checkout; files of a revision are written to one below this project, whose
 * `node_modules` it shares unless it names other dependencies.
 */
export function findTree(against: string): string {
  const named = resolve(root, against)
  if (existsSync(resolve(named, 'src/main.ts'))) return named
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const tree = makeDirectory('against')
  try {
    execFileSync('tar', ['-x', '-C', tree], { input: git('archive', against) })
  } catch {
    throw new UsageError(
      `--against must be a revision or a folder of this project, not "${against}"`,
    )
  }
  const [lock, ours] = [tree, root].map((at) =>
    readFileSync(resolve(at, 'package-lock.json'), 'utf8'),
  )
  if (lock !== ours) {
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: tree, stdio: ['ignore', 2, 2] })
  }
  return tree
}
