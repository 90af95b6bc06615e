import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, stopping } from '../child.ts'
import { root } from '../place.ts'
import { type Line, whole } from '../report.ts'
import { medianStart, startServerOver } from '../subjects.ts'
import { fillUp, keepShopping, type Soaked } from './load.ts'
import { linesOf } from './verdict.ts'

/** How long a shop of which size works, for how many at once, and where its data is kept. */
export interface SoakOptions {
  readonly minutes: number
  readonly products: number
  readonly connections: number
  readonly data: string
  readonly entry: string
}

/** How many shop at once. */
export const soakConnections = 16

/** Where a shop of a million is kept for the next soak, since it takes long to fill. */
export const soakData = resolve(root, '.cache/soak')

// Sixty samples of ten minutes; of a shorter time as many, or there would be no quarters to compare.
const sampleSecondsOf = (minutes: number): number => Math.min(10, minutes)

/** Lets a shop of this size work for so long, and tells what became of its memory. */
export async function measureSoak(options: SoakOptions): Promise<Line[]> {
  const { entry, data: directory, products } = options
  mkdirSync(directory, { recursive: true })
  const url = `sqlite:${resolve(directory, 'shop.db')}`
  process.stdout.write(`filling ${url} up to ${whole(products)} products\n`)
  await fillUp(url, products)
  const settings = { SECRET_KEY: 'a secret key of a shop that only soaks' }
  const start = () => startServerOver({ entry, url, directory, log: 'server.log', settings })
  await (await start()).stop()
  const readyMs = await medianStart(start)
  process.stdout.write(`measuring the soak: ready after ${whole(readyMs)} ms\n`)
  const server = await start()
  return stopping(server, async () => {
    const { samples, soaked, seconds } = await work(server, options)
    const said = JSON.stringify(Object.fromEntries(soaked.statuses))
    process.stdout.write(`${soaked.total} requests, by status ${said}\n`)
    return linesOf({ samples, soaked, seconds, readyMs }, options)
  })
}

/** Takes down how much memory the server has while people shop there. */
async function work(server: Child, { minutes, products, connections }: SoakOptions) {
  const load = await keepShopping(`http://127.0.0.1:${server.port}`, connections, products)
  const { soaked } = load
  const samples: number[] = []
  const startedAt = performance.now()
  const secondsSoFar = () => (performance.now() - startedAt) / 1000
  process.stdout.write('  seconds   RSS MB   requests/s    p50 ms    p99 ms\n')
  while (secondsSoFar() < minutes * 60) {
    const lastAtSeconds = secondsSoFar()
    await Promise.race([sleep(sampleSecondsOf(minutes) * 1000), load.failed])
    const megabytes = server.rssMegabytes()
    samples.push(megabytes)
    const took = secondsSoFar() - lastAtSeconds
    process.stdout.write(`${rowOf(secondsSoFar(), megabytes, took, soaked)}\n`)
  }
  const seconds = secondsSoFar()
  await load.stop()
  // What is left once nobody asks any more.
  await sleep(5000)
  const [rest, peak] = [server.rssMegabytes(), server.peakMegabytes()]
  process.stdout.write(
    `  at rest   ${rest.toFixed(1)} MB; at most ${peak.toFixed(1)} MB between the samples\n`,
  )
  return { samples, soaked, seconds }
}

function rowOf(atSeconds: number, megabytes: number, took: number, soaked: Soaked): string {
  const sorted = Float64Array.from(soaked.latenciesMs.splice(0)).sort()
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  const cells = [
    atSeconds.toFixed(0),
    megabytes.toFixed(1),
    (sorted.length / took).toFixed(0),
    at(0.5).toFixed(1),
    at(0.99).toFixed(1),
  ]
  return cells.map((cell, index) => cell.padStart(index === 2 ? 13 : 9)).join('')
}
