import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { asStarted, type Child, startChild } from './child.ts'
import { median } from './compare.ts'
import { administrator } from './shop.ts'
import { fillUp, keepShopping, type Soaked } from './soak-load.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sampleSeconds = 10
const startCount = 5
const mostMegabytes = 200
const mostReadyMs = 500
// What a garbage collector does not give back at once is no leak; what a leak keeps, it keeps on.
const mostGrowthMegabytes = 10

interface Sample {
  readonly atSeconds: number
  readonly megabytes: number
}

/** Lets a shop of this size work for so long, and tells what became of its memory. */
async function soak(): Promise<boolean> {
  const { minutes, products, connections, data } = readOptions()
  mkdirSync(data, { recursive: true })
  const database = `sqlite:${resolve(data, 'shop.db')}`
  console.log(`filling ${database} up to ${products} products`)
  await fillUp(root, database, products)
  const started = asStarted(root)
  const start = () =>
    startChild({
      entry: resolve(root, 'src/main.ts'),
      flags: started.flags,
      directory: data,
      log: resolve(data, 'server.log'),
      env: {
        ...started.env,
        DATABASE_URL: database,
        SECRET_KEY: 'a secret key of a shop that only soaks',
        ADMIN_USERNAME: administrator.username,
        ADMIN_PASSWORD: administrator.password,
        DEMO_DATA: 'off',
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
      },
    })
  await (await start()).stop()
  const readyMs = await timeStarts(start)
  console.log(`ready after ${Math.round(readyMs)} ms (median of ${startCount} starts)`)
  const server = await start()
  try {
    const { samples, soaked } = await work(server, { minutes, products, connections })
    return judge(samples, soaked, readyMs)
  } finally {
    await server.stop()
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      products: { type: 'string', default: '1000000' },
      connections: { type: 'string', default: '16' },
      data: { type: 'string', default: resolve(root, '.cache/soak') },
    },
  })
  return {
    minutes: Number(values.minutes),
    products: Number(values.products),
    connections: Number(values.connections),
    data: resolve(values.data),
  }
}

async function timeStarts(start: () => Promise<Child>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < startCount; count += 1) {
    const child = await start()
    times.push(child.readyAfterMs)
    await child.stop()
  }
  return median(times)
}

interface Work {
  readonly minutes: number
  readonly products: number
  readonly connections: number
}

async function work(server: Child, { minutes, products, connections }: Work) {
  const load = await keepShopping(`http://127.0.0.1:${server.port}`, connections, products)
  const { soaked } = load
  const samples: Sample[] = []
  const startedAt = performance.now()
  console.log('  seconds   RSS MB   requests/s    p50 ms    p99 ms')
  while (performance.now() - startedAt < minutes * 60_000) {
    await Promise.race([sleep(sampleSeconds * 1000), load.failed])
    const atSeconds = (performance.now() - startedAt) / 1000
    const megabytes = server.rssMegabytes()
    samples.push({ atSeconds, megabytes })
    console.log(rowOf(atSeconds, megabytes, soaked.latenciesMs.splice(0)))
  }
  await load.stop()
  // What is left once nobody asks any more.
  await sleep(5000)
  const [rest, peak] = [server.rssMegabytes(), server.peakMegabytes()]
  console.log(
    `  at rest   ${rest.toFixed(1)} MB; at most ${peak.toFixed(1)} MB between the samples`,
  )
  return { samples, soaked }
}

function rowOf(atSeconds: number, megabytes: number, latenciesMs: number[]): string {
  const sorted = Float64Array.from(latenciesMs).sort()
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  const cells = [
    atSeconds.toFixed(0),
    megabytes.toFixed(1),
    (sorted.length / sampleSeconds).toFixed(0),
    at(0.5).toFixed(1),
    at(0.99).toFixed(1),
  ]
  return cells.map((cell, index) => cell.padStart(index === 2 ? 13 : 9)).join('')
}

function judge(samples: readonly Sample[], { statuses, total }: Soaked, readyMs: number): boolean {
  const second = samples.slice(Math.floor(samples.length / 2)).map(({ megabytes }) => megabytes)
  const middle = Math.floor(second.length / 2)
  const growth = median(second.slice(middle)) - median(second.slice(0, middle))
  const most = Math.max(...samples.map(({ megabytes }) => megabytes))
  const last = samples.at(-1)?.megabytes ?? Number.NaN
  const faults = [...statuses].filter(([status]) => status >= 500 && status !== 503)
  const checks: readonly (readonly [string, boolean])[] = [
    [
      `RSS at the end ${last.toFixed(1)} MB, at most ${most.toFixed(1)} MB (< ${mostMegabytes})`,
      most < mostMegabytes,
    ],
    [
      `growth from the third to the fourth quarter ${growth.toFixed(1)} MB (< ${mostGrowthMegabytes})`,
      growth < mostGrowthMegabytes,
    ],
    [`ready after ${Math.round(readyMs)} ms (< ${mostReadyMs})`, readyMs < mostReadyMs],
    [
      `${total} requests, by status ${JSON.stringify(Object.fromEntries(statuses))}`,
      faults.length === 0,
    ],
  ]
  for (const [sentence, holds] of checks) console.log(`${holds ? 'ok  ' : 'FAIL'}  ${sentence}`)
  return checks.every(([, holds]) => holds)
}

try {
  process.exitCode = (await soak()) ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
