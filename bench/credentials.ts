import { captureAnswer } from './capture.ts'
import type { Child } from './child.ts'
import { type Effort, median } from './compare.ts'
import { encodeRequest, type LoadReport, runLoad, type Scenario } from './load.ts'
import { type Line, whole } from './report.ts'
import { administrator, logIn, makeKey } from './shop.ts'

/** What a request with a credential may cost more than one without, in microseconds of processor. */
const mostMicroseconds = 60
const warmUpSeconds = 2

/** One way to ask, and what came of each round of it. */
interface Way {
  readonly name: string
  readonly child: Child
  /** The header fields it sends. */
  readonly fields: readonly string[]
  /** True where what it adds is to stay within bounds. */
  readonly isBound: boolean
  readonly perSecond: number[]
  readonly microseconds: number[]
}

/**
 * Asks for one product without and with each credential, in alternation: from a server that keeps
 * answers ready, and from one that makes each anew. What a credential adds is told in processor time
 * of the server, which others on the machine do not lengthen.
 */
export async function measureCredentials(
  { ready, plain }: { readonly ready: Child; readonly plain: Child },
  effort: Effort,
): Promise<Line[]> {
  const bare = way('GET product, anonymous, handler runs', plain, [])
  const ways = [
    way('GET product, anonymous, ready answer', ready, []),
    bare,
    ...(await waysOf(plain, 'handler runs')),
    ...(await waysOf(ready, 'beside ready answers')),
  ]
  const path = await productPath(plain)
  for (const each of ways) await press(each, path, effort.connections, warmUpSeconds)
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const each of ways) {
      const { report, microseconds } = await press(each, path, effort.connections, effort.seconds)
      each.perSecond.push(report.perSecond)
      each.microseconds.push(microseconds)
    }
  }
  return ways.map((each) => lineOf(each, bare))
}

const way = (name: string, child: Child, fields: readonly string[], isBound = false): Way => ({
  name,
  child,
  fields,
  isBound,
  perSecond: [],
  microseconds: [],
})

async function waysOf(child: Child, beside: string): Promise<Way[]> {
  const { username, password } = administrator
  const token = await logIn(child, administrator)
  const key = await makeKey(child, token)
  const pair = Buffer.from(`${username}:${password}`).toString('base64')
  return [
    way(`GET product, Bearer, ${beside}`, child, [`Authorization: Bearer ${token}`], true),
    way(`GET product, Api-Key, ${beside}`, child, [`Authorization: Api-Key ${key}`], true),
    way(`GET product, Basic, ${beside}`, child, [`Authorization: Basic ${pair}`]),
  ]
}

async function productPath({ port }: Child): Promise<string> {
  const { body } = await captureAnswer(port, '/products?limit=1')
  const { data } = JSON.parse(body) as { data: readonly { id: number }[] }
  return `/products/${data[0]?.id}`
}

async function press(
  { child, fields }: Way,
  path: string,
  connections: number,
  seconds: number,
): Promise<{ report: LoadReport; microseconds: number }> {
  const request = { bytes: encodeRequest('GET', path, undefined, undefined, fields), expect: 200 }
  const scenario: Scenario = function* read() {
    yield request
  }
  const before = child.processorSeconds()
  const report = await runLoad({ port: child.port, scenario, connections, seconds })
  const spent = child.processorSeconds() - before
  const answers = [...report.statuses.values()].reduce((sum, count) => sum + count, 0)
  return { report, microseconds: (spent * 1e6) / answers }
}

function lineOf({ name, isBound, perSecond, microseconds }: Way, bare: Way): Line {
  const each = median(microseconds)
  const added = each - median(bare.microseconds)
  const text = `< ${mostMicroseconds} µs more`
  return {
    name: `${name}: ${whole(each)} µs${isBound ? `, ${whole(added)} more` : ''}`,
    server: `${whole(median(perSecond))}/s`,
    floor: `${whole(median(bare.perSecond))}/s`,
    ...(isBound ? { target: { text, met: added < mostMicroseconds } } : {}),
  }
}
