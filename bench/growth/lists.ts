import type { Line, Lines, Target } from '../report.ts'
import type { Server } from '../server.ts'
import { call, logIn } from '../shop.ts'

/** A parameter of an operation in the OpenAPI document. */
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Schema {
  readonly $ref?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly type?: string
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly (Parameter | Schema)[] } }>
  >
}

type Entry = Readonly<Record<string, unknown>>

/** One filter with a value, or several that belong together. */
type Filter = Readonly<Record<string, string>>

/** A list, its sorts and the values of each filter that some of its entries have. */
interface List {
  readonly path: string
  readonly sorts: readonly string[]
  readonly filters: readonly (readonly Filter[])[]
}

const paging: ReadonlySet<string> = new Set([
  ...['page', 'limit', 'sort', 'order', 'cursor', 'include', 'version'],
])

/** The list of an ID in a path is that of the first row, in both databases. */
const fill = (path: string): string => path.replace(/\{\w+\}/g, '1')

const firstWord = (entry: Entry): string => String(entry['name'] ?? '').split(' ')[0] ?? ''

/** Filters that are no fields of an entry, with values from an entry in the middle of the list. */
const computed: Readonly<Record<string, (entry: Entry) => readonly Filter[]>> = {
  q: (entry) => [firstWord(entry), 's', `${firstWord(entry)} s`].map((q) => ({ q: q.trim() })),
  facets: () => [{ facets: 'category,availability,price,rating' }],
  price_min: ({ price }) => [
    { price_min: String(price) },
    { price_min: String(price), price_max: (Number(price) * 1.2).toFixed(2) },
  ],
  price_max: ({ price }) => [{ price_max: String(price) }],
  buyer: () => [{ buyer: '1' }],
  variants: () => [{ variants: 'all' }],
  option: () => [{ 'option.size': 'M' }],
  since: ({ at }) => [{ since: String(at) }],
  until: ({ at }) => [{ until: String(at) }],
  ...Object.fromEntries(
    ['created', 'updated'].flatMap((change) =>
      ['since', 'before'].map((side) => [
        `${change}_${side}`,
        (entry: Entry) => [{ [`${change}_${side}`]: String(entry[`${change}_at`]) }],
      ]),
    ),
  ),
}

const resolveReference = (document: Document, schema: Schema): Schema => {
  const { $ref } = schema
  if ($ref === undefined) return schema
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return found as Schema
}

/** The values of a filter: one of an entry and, of words, one or two of them. */
function valuesOf(document: Document, { name, schema }: Parameter, entry: Entry) {
  const made = computed[name]
  if (made) return made(entry)
  const { items, enum: one } = resolveReference(document, schema)
  const words = one ?? (items && resolveReference(document, items).enum)
  const own = entry[name]
  const values = [
    ...(own === undefined || own === null ? [] : [String(own)]),
    ...(words ? words.slice(0, 2) : []),
    ...(items && words ? [words.slice(0, 2).join(',')] : []),
  ]
  return [...new Set(values)].map((value) => ({ [name]: value }))
}

/** The lists that the API of a server declares, with values of filters from its entries. */
async function declaredLists(read: Read): Promise<readonly List[]> {
  const document = await read<Document>('/openapi.json')
  const lists: List[] = []
  for (const [template, { get }] of Object.entries(document.paths)) {
    const parameters = (get?.parameters ?? []).map(
      (parameter) => resolveReference(document, parameter as Schema) as unknown as Parameter,
    )
    const sort = parameters.find(({ name }) => name === 'sort')
    if (!sort) continue
    const path = fill(template)
    const entry = await middleEntry(read, path)
    if (!entry) continue
    const filters = parameters
      .filter((parameter) => parameter.in === 'query' && !paging.has(parameter.name))
      .map((parameter) => valuesOf(document, parameter, entry))
      .filter((values) => values.length > 0)
    lists.push({ path, sorts: resolveReference(document, sort.schema).enum ?? [], filters })
  }
  return lists
}

/** An entry from the middle of a list, as far as pages go; undefined for an empty or absent list. */
async function middleEntry(read: Read, path: string): Promise<Entry | undefined> {
  try {
    const first = await read<{ pagination: { total_items: number } }>(`${path}?limit=1`)
    const page = Math.min(100_000, Math.ceil(first.pagination.total_items / 2))
    if (page === 0) return undefined
    const { data } = await read<{ data: readonly Entry[] }>(`${path}?limit=1&page=${page}`)
    return data[0]
  } catch {
    return undefined
  }
}

/** Every choice of at most `most` of the filters, each with one of its values; several have their first. */
function* combinations(filters: readonly (readonly Filter[])[], most: number): Generator<Filter> {
  yield {}
  for (const values of filters) yield* values
  const chosen = filters.map(([first]) => first as Filter)
  function* more(from: number, left: number, filter: Filter, size: number): Generator<Filter> {
    if (size > 1) yield filter
    if (left === 0) return
    for (let at = from; at < chosen.length; at += 1) {
      yield* more(at + 1, left - 1, { ...filter, ...chosen[at] }, size + 1)
    }
  }
  yield* more(0, most, {}, 0)
}

/** The queries of a list: every order with every choice of filters, the first page and the deepest. */
function* queriesOf({ sorts, filters }: List, most: number, lastPage: number): Generator<Filter> {
  for (const sort of sorts) {
    for (const order of ['asc', 'desc']) {
      for (const filter of combinations(filters, most)) yield { ...filter, sort, order }
      yield { sort, order, page: String(lastPage) }
    }
  }
}

interface Timed {
  readonly url: string
  readonly ms: number
}

const format = (ms: number): string => `${ms.toFixed(1)} ms`

const attempts = 3
const maxMs = 30
const maxRatio = 1.5
const shown = 10
const entriesPerPage = 20
const deepestRow = 100_000

type Read = <Body>(path: string) => Promise<Body>

/** A server, and how an administrator reads from it: what others read is answered from memory. */
interface Side {
  readonly server: Server
  readonly read: Read
}

async function sideOf(server: Server): Promise<Side> {
  const token = await logIn(server)
  return { server, read: (path) => call(server, 'GET', path, { token }) }
}

/**
 * The least time of a request in some attempts, or its processor time: on a busy machine, a request that waits for its
 * turn only looks slow.
 */
async function timeOf({ server, read }: Side, url: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && least > maxMs; attempt += 1) {
    const startedAt = performance.now()
    await read(url)
    least = Math.min(least, performance.now() - startedAt)
  }
  if (least <= maxMs) return least
  const usedSeconds = () => server.cpuSeconds() + server.databaseCpuSeconds()
  const before = usedSeconds()
  for (let attempt = 0; attempt < attempts; attempt += 1) await read(url)
  return Math.min(least, ((usedSeconds() - before) * 1000) / attempts)
}

interface ListGrowth {
  readonly rows: number
  /** How many filters are combined at most. */
  readonly filters: number
  /** The paths of the lists. */
  readonly only: RegExp
  /** The name of the database. */
  readonly on: string
}

/**
 * Sends every list by every sort with every choice of at most `filters` filters, all of them made from the OpenAPI
 * document, and yields those that take longest in the large shop beside their time in the small one.
 */
export async function* growthOfLists(
  small: Server,
  large: Server,
  { rows, filters, only, on }: ListGrowth,
): Lines {
  const [inSmall, inLarge] = [await sideOf(small), await sideOf(large)]
  const lastPage = Math.max(1, Math.floor(Math.min(rows / 2, deepestRow) / entriesPerPage))
  const timed: Timed[] = []
  const lists = await declaredLists(inLarge.read)
  for (const list of lists.filter(({ path }) => only.test(path))) {
    for (const query of queriesOf(list, filters, lastPage)) {
      const url = `${list.path}?${new URLSearchParams(query)}`
      timed.push({ url, ms: await timeOf(inLarge, url) })
    }
  }
  const slowest = timed.toSorted((one, other) => other.ms - one.ms)
  const slow: Line[] = []
  for (const { url, ms } of slowest) {
    if (slow.length >= shown && ms <= maxMs) break
    const smallMs = await timeOf(inSmall, url)
    const met = ms <= maxMs || ms <= maxRatio * smallMs
    const target: Target = { text: `≤ ${maxRatio} or ${maxMs} ms`, met }
    const ratio = (ms / smallMs).toFixed(1)
    slow.push({ name: url, server: format(ms), baseline: format(smallMs), ratio, target })
  }
  yield* slow.slice(0, shown)
  const missed = slow.filter(({ target }) => target?.met === false)
  yield {
    name: `${on}: lists that miss the goal of ${timed.length}`,
    server: String(missed.length),
  }
}
