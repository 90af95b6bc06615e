import { hasPassed, type LoadOptions, runLoad, type Scenario } from './load.ts'
import { defaultPostgresUrl, readNames, readOptions } from './options.ts'
import { createDatabase } from './postgres/database.ts'
import { makeDirectory, startServer } from './server.ts'
import { addBuyers, addProducts, placeOrders } from './shop.ts'
import { quantile } from './statistics.ts'

/** What is left of the best goodput under every load, and how long what is admitted takes at most. */
const minGoodputShare = 0.8
const maxP99Ms = 2000
const buyerCount = 32
const loads = [1, 3, 10]

interface Figures {
  readonly load: string
  readonly goodput: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const { on, seconds, connections, postgres } = readOptions('bench:overload', {
  on: 'sqlite',
  seconds: 10,
  connections: 1000,
  postgres: defaultPostgresUrl,
})
const [kind] = [...readNames('on', [on], ['sqlite', 'postgres'] as const)]
const directory = makeDirectory('overload')
await using database =
  kind === 'postgres'
    ? await createDatabase(postgres, `cartwright_overload_${process.pid}`)
    : undefined
const url = database ? { url: database.url } : {}
await using server = await startServer({ directory, name: 'server', ...url })
const shop = { productIds: await addProducts(server), buyers: await addBuyers(server, buyerCount) }

/** Places orders; each is timed from when it is sent, and 503 is an answer, too. */
async function measure(
  load: string,
  options: Pick<LoadOptions, 'connections' | 'pace'>,
): Promise<Figures> {
  const tookMs: number[] = []
  let refused = 0
  const place = placeOrders(shop)
  const scenario: Scenario = function* timed(connection) {
    const { value } = place(connection % buyerCount).next()
    if (!value) return
    const sentAtMs = performance.now()
    const { status } = yield { ...value, expect: [201, 503] }
    if (status === 201) tookMs.push(performance.now() - sentAtMs)
    else refused += 1
  }
  const { tookSeconds } = await runLoad({ port: server.port, scenario, ...options })
  const [p50Ms, p99Ms] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)]
  return { load, goodput: tookMs.length / tookSeconds, refused, p50Ms, p99Ms }
}

const best = await measure('best', { connections: buyerCount, pace: hasPassed(seconds) })
const figures = [best]
for (const times of loads) {
  const pace = { rate: times * best.goodput, seconds }
  figures.push(await measure(`${times} times`, { connections, pace }))
}
const isGood = ({ goodput, p99Ms }: Figures): boolean =>
  goodput >= minGoodputShare * best.goodput && p99Ms < maxP99Ms
const lines = figures.map((each) => {
  const { load, goodput, refused, p50Ms, p99Ms } = each
  const cells = [load, goodput.toFixed(0), refused, p50Ms.toFixed(0), p99Ms.toFixed(0)]
  return `| ${[...cells, isGood(each) ? 'good' : 'MISSED'].join(' | ')} |\n`
})
process.stdout.write(
  '| load | orders/s | refused | p50 ms | p99 ms | |\n| - | -: | -: | -: | -: | - |\n',
)
process.stdout.write(lines.join(''))
if (!figures.every(isGood)) process.exitCode = 1
