import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { browserSkipReason, openBrowser } from '#test/support/services/browser.ts'
import { type Deployment, openDeployment } from '#test/support/services/server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')

/** What runs in every environment: a purchase with the built package. */
const purchase = (entry: string, url: string) => `
import { openShop } from '${entry}'
const shop = openShop('${url}')
await shop.guests.start({ name: 'Ada' })
const { data: [product] } = await shop.products.list({ limit: 1 })
await product.addToCart()
const order = await (await shop.cart.get()).checkout({ shipping: { method: 'pickup' } })
const payment = await order.pay({ method: 'card', token: 'tok_visa' })
const result = payment.status + ' ' + (await order.refresh()).status
`

const strictUse = `
import { openShop, PreconditionFailed, type Resource, type Schemas, type Shop } from '@cartwright/client'
const shop: Shop = openShop('http://localhost:3000')
export async function buy(): Promise<number> {
  for await (const product of shop.products.list({ category: ['kitchen'] })) {
    const known: Resource<Schemas['Product']> = product
    if (known.price < 20 && known.can('add_to_cart')) await known.addToCart()
  }
  const order = await (await shop.cart.get()).checkout()
  // @ts-expect-error an order has no such link
  order.addToCart
  // @ts-expect-error a quantity is a number
  await shop.cart.add({ product_id: 1, quantity: '1' })
  try {
    return (await order.pay({ method: 'card', token: 'tok_visa' })).amount
  } catch (error) {
    return error instanceof PreconditionFailed ? error.status : 0
  }
}
`

const strictOptions = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  },
  files: ['use.mts'],
}

/** Packs a package of this project, and puts it unpacked where `npm install` would. */
async function install(folder: string, packed: string, name: string): Promise<string> {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: packed })
  const file = (await readdir(folder)).find((entry) => entry.endsWith('.tgz')) ?? ''
  const tarball = join(folder, file)
  await run('tar', ['xzf', tarball, '-C', folder])
  const target = join(folder, 'node_modules', name)
  await mkdir(dirname(target), { recursive: true })
  await rename(join(folder, 'package'), target)
  return tarball
}

describe('the packed client', () => {
  let folder: string
  let tarball: string
  let installed: string
  let deployment: Deployment
  let pages: Server
  let url: string
  before(async () => {
    // Below the project, so that no other machine-wide configuration of TypeScript applies.
    folder = await mkdtemp(join(modules, '.cache/client-'))
    tarball = await install(folder, join(root, 'client'), '@cartwright/client')
    installed = join(folder, 'node_modules/@cartwright/client')
    pages = createServer(async ({ url: path = '' }, response) => {
      const isScript = path.endsWith('.js')
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? await readFile(join(installed, 'dist', path)) : '<title>Shop</title>')
    }).listen(0, '127.0.0.1')
    await once(pages, 'listening')
    deployment = await openDeployment('sqlite', {
      settings: { DEMO_DATA: 'on', CORS_ORIGINS: originOf(pages) },
    })
    url = await deployment.start().url
  })
  after(async () => {
    pages.close()
    await deployment.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('has few files and no dependencies', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    assert.equal(manifest.dependencies, undefined)
    const files = await readdir(installed, { recursive: true, withFileTypes: true })
    const names = files.filter((file) => file.isFile()).map(({ name }) => name)
    assert.ok(names.length <= 20, names.join(' '))
    assert.ok(names.includes('README.md') && names.includes('client.d.ts'))
  })

  test('passes publint and arethetypeswrong', async () => {
    await run(join(modules, '.bin/publint'), [tarball, '--strict'])
    await run(join(modules, '.bin/attw'), [tarball, '--profile', 'esm-only'])
  })

  const compilers = { 5: '../client/node_modules/typescript', 7: 'typescript' }
  for (const [version, name] of Object.entries(compilers)) {
    test(`compiles strictly under TypeScript ${version}`, async () => {
      const package_ = join(modules, name)
      const manifest = JSON.parse(await readFile(join(package_, 'package.json'), 'utf8'))
      assert.ok(manifest.version.startsWith(`${version}.`), manifest.version)
      await writeFile(join(folder, 'use.mts'), strictUse)
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(strictOptions))
      await run(process.execPath, [join(package_, 'bin/tsc'), '-p', folder])
    })
  }

  test('buys in the Node that runs npm, and in that of the server', async () => {
    const script = join(folder, 'buy.mjs')
    const text = `${purchase('@cartwright/client', url)}console.log(process.version, result)`
    await writeFile(script, text)
    // npm puts the Node of the package in front.
    const PATH = (process.env['PATH'] ?? '')
      .split(delimiter)
      .filter((path) => !path.includes('node_modules'))
    for (const [node, path] of [
      [process.execPath, ''],
      ['node', PATH.join(delimiter)],
    ] as const) {
      const { stdout } = await run(node, [script], { env: { PATH: path } })
      assert.match(stdout, /^v(2\d)\S* succeeded paid\n$/)
    }
  })

  test('buys in Chromium', { skip: browserSkipReason() }, async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(originOf(pages))
      const entry = `${originOf(pages)}/client.js`
      const text = purchase(entry, url).replace(
        /import \{ openShop \} from '(.*)'/,
        "const { openShop } = await import('$1')",
      )
      assert.equal(
        await page.evaluate(`(async () => { ${text}; return result })()`),
        'succeeded paid',
      )
    } finally {
      await browser.close()
    }
  })
})

const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`
