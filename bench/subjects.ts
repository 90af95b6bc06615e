import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { captureAnswer, tagOf } from './capture.ts'
import { asStarted, type Child, startChild } from './child.ts'
import { median } from './compare.ts'
import { root } from './place.ts'
import { administrator, floorShop } from './shop.ts'

/** A server to start: over which database, beside which logs, as what else than usual. */
export interface Subject {
  /** The program; `src/main.ts` unless another is named. */
  readonly entry?: string
  /** Of its database. */
  readonly url: string
  readonly directory: string
  /** The name of its log in `directory`. */
  readonly log: string
  /** Options of Node beside those of `npm start`. */
  readonly flags?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts the server over the database in `directory`, which its first start makes. */
export const startServer = (entry: string, directory: string): Promise<Child> => {
  const url = `sqlite:${resolve(directory, 'server.db')}`
  return startOver({ entry, url, directory, log: 'server.log' })
}

/** Starts another over a database of its own, which keeps no answers ready. */
export const startPlainServer = (entry: string, directory: string): Promise<Child> => {
  const url = `sqlite:${resolve(directory, 'plain.db')}`
  const settings = { CATALOGUE_MEMORY_MB: '0' }
  return startOver({ entry, url, directory, log: 'plain.log', settings })
}

/** Starts the server without products of its own; `settings` go first. */
export const startServerOver = (subject: Subject): Promise<Child> =>
  startOver({ ...subject, settings: { DEMO_DATA: 'off', ...subject.settings } })

const startCount = 5

/** How many milliseconds it takes until a server is ready: the median of some starts. */
export async function medianStart(start: () => Promise<Child>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < startCount; count += 1) {
    const child = await start()
    times.push(child.readyAfterMs)
    await child.stop()
  }
  return median(times)
}

function startOver(subject: Subject): Promise<Child> {
  const { entry = 'src/main.ts', url, directory, log, flags = [], settings } = subject
  const started = asStarted(root)
  return startChild({
    entry: resolve(root, entry),
    flags: [...started.flags, ...flags],
    directory,
    log: resolve(directory, log),
    env: {
      ...started.env,
      DATABASE_URL: url,
      SECRET_KEY: 'of a benchmark, and no secret at all',
      ADMIN_USERNAME: administrator.username,
      ADMIN_PASSWORD: administrator.password,
      DEMO_DATA: 'on',
      RATE_LIMIT: 'off',
      LOGIN_LIMIT: 'off',
      WORKERS: '1',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  })
}

/** The paths that are read, and the floor that knows their answers. */
export interface ProductFloor {
  readonly child: Child
  readonly products: readonly { readonly path: string; readonly etag: string }[]
  readonly listPath: string
}

/** Starts a floor that answers with the bytes which the server has just answered with. */
export async function startProductFloor(server: Child, directory: string): Promise<ProductFloor> {
  const listPath = '/products?limit=20'
  const list = await captureAnswer(server.port, listPath)
  const { data } = JSON.parse(list.body) as { data: { id: number }[] }
  if (data.length !== 20) throw new Error(`the list is to hold 20 products, not ${data.length}`)
  const productPaths = data.map(({ id }) => `/products/${id}`)
  const products = await Promise.all(productPaths.map((path) => captureAnswer(server.port, path)))
  const answers = resolve(directory, 'answers.json')
  writeFileSync(answers, JSON.stringify([list, ...products]))
  const child = await startChild({
    entry: resolve(root, 'bench/floors/product-floor.ts'),
    directory,
    log: resolve(directory, 'product-floor.log'),
    env: { ANSWERS: answers },
  })
  const tagged = products.map((answer) => ({ path: answer.path, etag: tagOf(answer) }))
  return { child, products: tagged, listPath }
}

/** Starts a floor over a database of its own in `directory`, with a row for every buyer. */
export function startOrderFloor(directory: string, buyerCount: number): Promise<Child> {
  return startChild({
    entry: resolve(root, 'bench/floors/order-floor.ts'),
    directory,
    log: resolve(directory, 'order-floor.log'),
    env: {
      DATABASE: resolve(directory, 'floor.db'),
      PRODUCTS: String(floorShop(buyerCount).productIds.length),
      USERS: String(buyerCount),
    },
  })
}
