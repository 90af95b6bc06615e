import { setTimeout as sleep } from 'node:timers/promises'
import { badEvery, isBad, productFile, shopifyFile, variantFiles } from './import-files.ts'
import { defaultPostgresUrl, readOptions } from './options.ts'
import { createDatabase } from './postgres/database.ts'
import { below, formatTable, integer, type Line, type Lines } from './report.ts'
import { makeDirectory, type Server, type ServerOptions, startServer } from './server.ts'
import { addProducts, call, logIn } from './shop.ts'
import { quantile } from './statistics.ts'

/** An operation as the API shows it. */
interface Operation {
  readonly id: number
  readonly status: string
  readonly progress: { readonly done: number; readonly failed: number }
  readonly result: { readonly created: number; readonly unchanged: number } | null
}

const maxMegabytes = 300
const maxReadMs = 50
const maxSeconds = { SQLite: 20, PostgreSQL: 15 }
/** Reads begin at this distance, whatever the one before takes. */
const readEveryMs = 10
const progressEveryMs = 50
const killsAtPercent = [10, 50, 90]
const comparedProducts = 300

/** Begins an import, and resolves to its operation once the file has been received. */
async function upload({ port }: Server, token: string, file: string): Promise<Operation> {
  const response = await fetch(`http://127.0.0.1:${port}/imports?resource=products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: file,
  })
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Operation
}

/** Reads an operation until it satisfies a condition. */
async function poll(
  server: Server,
  token: string,
  id: number,
  isReached: (operation: Operation) => boolean,
): Promise<Operation> {
  for (;;) {
    const operation = await call<Operation>(server, 'GET', `/operations/${id}`, { token })
    if (isReached(operation)) return operation
    await sleep(progressEveryMs)
  }
}

const hasEnded = ({ result }: Operation): boolean => result !== null

/** Imports a file and returns the seconds from the first byte to the end, while products are read. */
async function importFile(server: Server, token: string, file: string, productIds: number[]) {
  const reading = new AbortController()
  const reads = productIds.length > 0 ? readAtPace(server, productIds, reading.signal) : []
  const startedAtMs = performance.now()
  const { id } = await upload(server, token, file)
  const operation = await poll(server, token, id, hasEnded)
  const seconds = (performance.now() - startedAtMs) / 1000
  reading.abort()
  if (operation.status !== 'succeeded') throw new Error(JSON.stringify(operation))
  return { operation, seconds, readMs: await reads }
}

/** Reads products at a fixed rate; returns how long after its planned start each response came. */
async function readAtPace({ port }: Server, ids: number[], signal: AbortSignal): Promise<number[]> {
  const pending: Promise<number>[] = []
  const startMs = performance.now()
  for (let at = 0; !signal.aborted; at += 1) {
    const plannedMs = startMs + at * readEveryMs
    if (plannedMs > performance.now()) await sleep(plannedMs - performance.now())
    const url = `http://127.0.0.1:${port}/products/${ids[at % ids.length]}`
    pending.push(
      fetch(url).then(async (response) => {
        await response.arrayBuffer()
        if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
        return performance.now() - plannedMs
      }),
    )
  }
  return Promise.all(pending)
}

/** The ETags of the products that were created first and last. */
async function readEtags({ port }: Server): Promise<readonly (string | null)[]> {
  const etags: (string | null)[] = []
  for (const order of ['asc', 'desc']) {
    for (let page = 1; page <= comparedProducts / 100; page += 1) {
      const list = `/products?limit=100&page=${page}&sort=id&order=${order}`
      const { data } = await call<{ data: { id: number }[] }>({ port }, 'GET', list)
      for (const { id } of data) {
        const response = await fetch(`http://127.0.0.1:${port}/products/${id}`)
        await response.arrayBuffer()
        etags.push(response.headers.get('etag'))
      }
    }
  }
  return etags
}

/** Throws unless the errors of an import are those of the bad rows, by line and field. */
async function requireErrors(server: Server, token: string, { id }: Operation, rows: number) {
  const expected = Array.from({ length: rows }, (_, at) => at).filter(isBad)
  const found: string[] = []
  for (let page = 1; found.length < expected.length; page += 1) {
    const path = `/operations/${id}/errors?limit=100&sort=line&page=${page}`
    const { data } = await call<{ data: { line: number; field: string }[] }>(server, 'GET', path, {
      token,
    })
    if (data.length === 0) break
    found.push(...data.map(({ line, field }) => `${line} ${field}`))
  }
  // The first line is that of the header.
  const wanted = expected.map((at) => `${at + 2} price`)
  if (found.join() !== wanted.join()) throw new Error('the errors are not those of the bad rows')
}

/** What files of other kinds may take. */
const ofShopify = { megabytes: 350, seconds: { SQLite: 30, PostgreSQL: 40 } } as const
/** The parents of 2,000 variants; without one, these are products of their own. */
const parentCounts = [0, 2, 4, 20, 200, 1000]
const variantCount = 2000
/** How many times as long as other products variants may take. */
const maxVariantRatio = 3

/** Imports a file of Shopify into an empty shop. */
async function* measureShopify(subject: Subject, rows: number): Lines {
  const { on } = subject
  await using server = await startServer(subject)
  const token = await logIn(server)
  const productIds = await addProducts(server)
  const { seconds, readMs, operation } = await importFile(
    server,
    token,
    shopifyFile(rows),
    productIds,
  )
  const name = `${on}: import of ${integer(rows)} rows of Shopify`
  yield {
    name: `${name}, ${integer(operation.result?.created ?? 0)} created`,
    server: `${seconds.toFixed(1)} s`,
    target: below(seconds, ofShopify.seconds[on], 's'),
  }
  yield* readLines(name, readMs)
  const { peak } = server.memoryMegabytes()
  yield {
    name: `${name}: resident memory at its peak`,
    server: `${integer(peak)} MB`,
    target: below(peak, ofShopify.megabytes, 'MB'),
  }
}

/** Imports products of their own, and as many variants of few and of many parents: new, with other stock and prices. */
async function* measureVariants(subject: Subject): Lines {
  await using server = await startServer(subject)
  const token = await logIn(server)
  const run = async (file: string): Promise<number> => {
    const { seconds, operation } = await importFile(server, token, file, [])
    if (operation.progress.failed > 0) throw new Error(JSON.stringify(operation))
    return variantCount / seconds
  }
  const single = new Map<string, number>()
  for (const parents of parentCounts) {
    const { parents: first, ...files } = variantFiles(variantCount, parents)
    if (parents > 0) await run(first)
    for (const [kind, file] of Object.entries(files)) {
      const rate = await run(file)
      if (parents === 0) single.set(kind, rate)
      const ratio = (single.get(kind) ?? 0) / rate
      const of = parents === 0 ? 'of their own' : `of ${integer(parents)} parents`
      yield {
        name: `${subject.on}: ${integer(variantCount)} products ${of}: ${kind}`,
        server: `${integer(rate)} rows/s`,
        ...(parents > 0 && { target: below(ratio, maxVariantRatio, 'times') }),
      }
    }
  }
}

interface Subject extends ServerOptions {
  readonly on: 'SQLite' | 'PostgreSQL'
}

/** The lines of reads beside an import. */
function* readLines(name: string, readMs: readonly number[]): Generator<Line> {
  const [p50, p99] = [quantile(readMs, 0.5), quantile(readMs, 0.99)]
  yield {
    name: `${name}, ${integer(readMs.length)} reads meanwhile`,
    server: `at most ${integer(Math.max(...readMs))} ms`,
    latency: `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
    target: below(p99, maxReadMs, 'ms'),
  }
}

/** Imports a file into an empty shop, and again. */
async function* measureImport(subject: Subject, rows: number): Lines {
  const { on } = subject
  const file = productFile(rows)
  await using server = await startServer(subject)
  const token = await logIn(server)
  const productIds = await addProducts(server)
  const cpuBefore = server.cpuSeconds()
  const first = await importFile(server, token, file, productIds)
  const cpu = server.cpuSeconds() - cpuBefore
  const name = `${on}: import of ${integer(rows)}`
  const { seconds } = first
  const target = below(seconds, maxSeconds[on], 's')
  yield { name, server: `${seconds.toFixed(1)} s`, target }
  yield { name: `${name}, processor time of the server`, server: `${cpu.toFixed(1)} s` }
  yield* readLines(name, first.readMs)
  await requireErrors(server, token, first.operation, rows)
  const before = await readEtags(server)
  const again = await importFile(server, token, file, productIds)
  yield { name: `${name} again`, server: `${again.seconds.toFixed(1)} s` }
  yield* readLines(`${name} again`, again.readMs)
  const after = await readEtags(server)
  const changed = before.filter((etag, at) => etag !== after[at]).length
  const touched = again.operation.progress.done - (again.operation.result?.unchanged ?? 0)
  yield {
    name: `${name} again: rows changed, ETags changed`,
    server: `${touched}, ${changed}`,
    target: { text: 'none', met: touched === 0 && changed === 0 },
  }
  const { peak } = server.memoryMegabytes()
  yield {
    name: `${on}: resident memory at its peak`,
    server: `${integer(peak)} MB`,
    target: below(peak, maxMegabytes, 'MB'),
  }
}

/** Kills the server while it imports, three times, and starts it again. */
async function* measureKills(subject: Subject, rows: number): Lines {
  const file = productFile(rows)
  let server = await startServer(subject)
  try {
    const token = await logIn(server)
    const startedAtMs = performance.now()
    const { id } = await upload(server, token, file)
    for (const percent of killsAtPercent) {
      const isReached = ({ progress, result }: Operation): boolean =>
        result !== null || progress.done >= (rows * percent) / 100
      const { result } = await poll(server, token, id, isReached)
      if (result) throw new Error(`the import had ended before the kill at ${percent} %`)
      await server.kill()
      server = await startServer(subject)
    }
    const { progress, result } = await poll(server, token, id, hasEnded)
    const seconds = (performance.now() - startedAtMs) / 1000
    const bad = Math.floor(rows / badEvery)
    const isOnce = result?.created === rows - bad && progress.failed === bad
    const page = await call<{ pagination: { total_items: number } }>(server, 'GET', '/products')
    const total = page.pagination.total_items
    yield {
      name: `${subject.on}: ${killsAtPercent.length} kills, ${seconds.toFixed(0)} s in all`,
      server: `${integer(result?.created ?? 0)} created, ${integer(total)} products`,
      target: { text: 'each once', met: isOnce && total === rows - bad },
    }
  } finally {
    await server[Symbol.asyncDispose]()
  }
}

if (import.meta.main) {
  const { rows, kills, shopify, variants, on, flags, postgres } = readOptions('bench:import', {
    rows: 100_000,
    kills: false,
    shopify: false,
    variants: false,
    on: 'sqlite,postgres',
    postgres: defaultPostgresUrl,
    flags: [] as string[],
  })
  const directory = makeDirectory('import')
  const measure = variants
    ? measureVariants
    : shopify
      ? measureShopify
      : kills
        ? measureKills
        : measureImport
  const lines: Line[] = []
  if (on.includes('sqlite')) {
    const subject = { on: 'SQLite', directory, name: 'import', flags } as const
    lines.push(...(await Array.fromAsync(measure(subject, rows))))
  }
  if (on.includes('postgres')) {
    await using database = await createDatabase(postgres, `cartwright_import_${process.pid}`)
    const { url } = database
    const subject = { on: 'PostgreSQL', url, directory, name: 'import-postgres', flags } as const
    lines.push(...(await Array.fromAsync(measure(subject, rows))))
  }
  process.stdout.write(`${formatTable(lines)}\n`)
  process.exitCode = lines.every(({ target }) => target?.met !== false) ? 0 : 1
}
