import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importCycles, importsAgainstDirection, packagesOutOfPlace } from './import-rules.ts'
import * as rules from './source-rules.ts'
import { parseSources, readAliases, readRepository, type Texts } from './source-tree.ts'

const aliases = readAliases()
const repository = readRepository()
const isCode = (path: string) => /^(src|test|bench)\/.*\.ts$/.test(path)
const code = Object.fromEntries(Object.entries(repository).filter(([path]) => isCode(path)))
const files = parseSources(code, aliases)

const parse = (texts: Texts) => parseSources(texts, aliases)
const lines = (count: number, line: string) => `${line}\n`.repeat(count)

function none(violations: readonly string[]): void {
  assert.equal(violations.length, 0, `\n${violations.join('\n')}\n`)
}

describe('the repository', () => {
  test('is found, with its code', () => {
    assert.ok(files.some((file) => file.path === 'test/architecture.test.ts'))
    assert.ok('package.json' in repository)
  })
  test('imports run one way, through the layers and inside a slice', () => {
    none(importsAgainstDirection(files))
  })
  test('a package is imported only where it is at home', () => none(packagesOutOfPlace(files)))
  test('no files import one another in a ring', () => none(importCycles(files)))
  test('nothing is exported as default', () => none(rules.defaultExports(files)))
  test('no file only re-exports', () => none(rules.barrels(files)))
  test('any appears only where the kernel erases route types', () => {
    none(rules.anyOutsideTheKernel(files))
  })
  test('rules are given the time and never read it', () => none(rules.rulesReadingTheClock(files)))
  test('a file has at most 300 lines', () => none(rules.longFiles(files)))
  test('a function has at most 50 lines', () => none(rules.longFunctions(files)))
  test('names are kebab-case and say something', () => {
    none(rules.badNames(Object.keys(repository)))
  })
  test('every export has a docstring', () => none(rules.undocumentedExports(files)))
  test('no file names the machine it was written on', () => none(rules.machineTraces(repository)))
})

/** One file with one line, and whether the direction of imports allows it. */
const imports: readonly (readonly [path: string, line: string, allowed: boolean])[] = [
  ['src/main.ts', `import { app } from './app.ts'`, true],
  ['src/main.ts', `import { x } from './resources/carts/resource.ts'`, false],
  ['src/app.ts', `import { resources } from '#src/resources.ts'`, true],
  ['src/app.ts', `import { carts } from '#resources/carts/resource.ts'`, false],
  ['src/app.ts', `import { main } from './main.ts'`, false],
  ['src/resources.ts', `import { carts } from './resources/carts/resource.ts'`, true],
  ['src/resources.ts', `import { x } from './resources/carts/store.ts'`, false],
  ['src/kernel/verb.ts', `import { x } from '#values/money.ts'`, true],
  ['src/kernel/verb.ts', `import type { X } from '#store/x.ts'`, true],
  ['src/kernel/verb.ts', `import type {\n  X,\n} from '../resources/carts/schema.ts'`, false],
  ['src/kernel/verb.ts', `export const x = import('#identity/x.ts')`, false],
  ['src/kernel/verb.ts', `export let x: import('#identity/x.ts').X`, false],
  ['src/kernel/verb.ts', `export * from '#identity/x.ts'`, false],
  ['src/kernel/verb.ts', `export const x = import(name)`, false],
  ['src/kernel/verb.ts', `// import { x } from '#identity/x.ts'`, true],
  ['src/kernel/verb.ts', `const x = "import { x } from '#identity/x.ts'"`, true],
  ['src/store/sqlite.ts', `import { x } from '#kernel/x.ts'`, false],
  ['src/store/sqlite.ts', `import { x } from '#test/x.ts'`, false],
  ['src/store/sqlite.ts', `import { x } from './sqlite.test.ts'`, false],
  ['src/identity/jwt.ts', `import { x } from '#store/x.ts'`, true],
  ['src/identity/jwt.ts', `import { x } from '#resources/users/store.ts'`, false],
  ['src/operations/health.ts', `import { x } from '#kernel/x.ts'`, true],
  ['src/operations/health.ts', `import { x } from '#resources/users/store.ts'`, false],
  ['src/sandbox/main.ts', `import { x } from '#values/x.ts'`, true],
  ['src/sandbox/main.ts', `import { x } from '#kernel/x.ts'`, false],
  ['src/demo/seed.ts', `import { x } from '#resources/users/rules.ts'`, true],
  ['src/demo/seed.ts', `import { x } from '#resources/users/resource.ts'`, false],
  ['src/demo/seed.ts', `import { x } from '#resources/users/mailer.ts'`, false],
  ['src/demo/seed.ts', `import { x } from '#kernel/x.ts'`, false],
  ['src/values/money.ts', `import { x } from './refusal.ts'`, true],
  ['src/values/money.ts', `import { x } from '#store/x.ts'`, false],
  ['src/elsewhere/x.ts', `const x = 1`, false],
  ['src/resources/loose.ts', `const x = 1`, false],
  ['src/resources/carts/resource.ts', `import * as store from './store.ts'`, true],
  ['src/resources/carts/resource.ts', `import { x } from '../orders/resource.ts'`, false],
  ['src/resources/carts/resource.ts', `import { x } from '../orders/rules.ts'`, true],
  ['src/resources/carts/resource.ts', `import { x } from '../orders/worker.ts'`, false],
  ['src/resources/carts/store.ts', `import { x } from './table.ts'`, true],
  ['src/resources/carts/store.ts', `import { x } from './acts.ts'`, false],
  ['src/resources/carts/store.ts', `import { x } from './resource.ts'`, false],
  ['src/resources/carts/store.ts', `import { x } from '../orders/acts.ts'`, false],
  ['src/resources/carts/rules.ts', `import { x } from './schema.ts'`, true],
  ['src/resources/carts/rules.ts', `import { x } from './store.ts'`, false],
  ['src/resources/carts/schema.ts', `import { x } from './rules.ts'`, false],
  ['src/resources/carts/worker.ts', `import { x } from './store.ts'`, true],
  ['src/resources/carts/store.test.ts', `import { x } from '#src/app.ts'`, true],
]

const packages: readonly (readonly [path: string, line: string, allowed: boolean])[] = [
  ['src/kernel/mount.ts', `import Fastify from 'fastify'`, true],
  ['src/app.ts', `import type { FastifyInstance } from 'fastify'`, true],
  ['src/operations/health.ts', `import type { FastifyInstance } from 'fastify'`, false],
  ['src/identity/x.ts', `import x from '@fastify/cookie'`, false],
  ['src/resources/carts/store.ts', `import { sql } from '#store/kysely.ts'`, true],
  ['src/resources/carts/acts.ts', `import { sql } from '#store/kysely.ts'`, false],
  ['src/resources/carts/store.ts', `import { sql } from 'kysely'`, false],
  ['src/resources/carts/table.ts', `import type { Generated } from 'kysely'`, true],
  ['src/store/x.ts', `import { sql } from 'kysely/helpers/sqlite'`, false],
  ['src/resources/carts/rules.ts', `import type { Kysely } from 'kysely'`, false],
  ['src/kernel/x.ts', `import type { Kysely } from 'kysely'`, false],
  ['src/resources/carts/rules.ts', `import { performance } from 'node:perf_hooks'`, false],
  ['src/values/x.ts', `import { inspect } from 'node:util'`, false],
  ['src/values/x.ts', `import { type Socket, connect } from 'node:net'`, false],
  ['src/values/x.ts', `import type { Socket } from 'node:net'`, true],
  ['src/values/x.ts', `import { Type } from 'typebox'`, false],
  ['src/kernel/x.ts', `import { Type } from 'typebox'`, false],
  ['src/kernel/x.ts', `import type { TSchema } from 'typebox'`, true],
  ['src/sandbox/main.ts', `import { createServer } from 'node:http'`, true],
  ['src/sandbox/main.ts', `import postgres from 'postgres'`, false],
]

describe('the checks', () => {
  for (const [path, line, allowed] of imports)
    test(`${path} ${allowed ? 'may' : 'may not'} hold: ${line}`, () => {
      assert.equal(importsAgainstDirection(parse({ [path]: line })).length, allowed ? 0 : 1)
    })

  for (const [path, line, allowed] of packages)
    test(`${path} ${allowed ? 'may' : 'may not'} hold: ${line}`, () => {
      assert.equal(packagesOutOfPlace(parse({ [path]: line })).length, allowed ? 0 : 1)
    })

  test('a ring of imports is found, through types and aliases, and named once', () => {
    const ring = parse({
      'src/store/a.ts': `import { b } from './b.ts'`,
      'src/store/b.ts': `import type { c } from '#store/c.ts'`,
      'src/store/c.ts': `import { a } from './a.ts'\nimport { d } from './d.ts'`,
      'src/store/d.ts': `export const d = 1`,
    })
    const path = ['a', 'b', 'c', 'a'].map((name) => `src/store/${name}.ts`)
    assert.deepEqual(importCycles(ring), [path.join(' → ')])
    assert.deepEqual(importCycles(ring.slice(1)), [])
  })

  test('every form of default export is found', () => {
    for (const text of [
      'export default 1',
      'export default function f() {}',
      'const f = 1\nexport { f as default }',
      `export { default } from './x.ts'`,
    ])
      assert.equal(rules.defaultExports(parse({ 'src/x.ts': text })).length, 1, text)
    const innocent = 'switch (x) {\n  default:\n    f()\n}'
    assert.equal(rules.defaultExports(parse({ 'src/x.ts': innocent })).length, 0)
  })

  test('a file that only passes on is found, one that adds something is not', () => {
    const isBarrel = (text: string) => rules.barrels(parse({ 'src/x.ts': text })).length === 1
    assert.ok(isBarrel(`export * from './a.ts'\nexport type { B } from './b.ts'`))
    assert.ok(isBarrel(`import { a } from './a.ts'\nexport { a }`))
    assert.ok(!isBarrel(`export { a } from './a.ts'\nexport const b = 1`))
    assert.ok(!isBarrel(`import './a.ts'`))
  })

  test('any is found as a type, and not as a word', () => {
    const count = (path: string, text: string) =>
      rules.anyOutsideTheKernel(parse({ [path]: text })).length
    assert.equal(count('src/store/x.ts', 'const x = y as any\nlet z: Array<any>'), 2)
    assert.equal(count('src/kernel/other.ts', 'let z: any'), 1)
    assert.equal(count('src/kernel/noun.ts', 'let z: any'), 0)
    assert.equal(count('src/store/x.ts', '// any\nconst any = "any"'), 0)
  })

  test('every way for a rule to read the clock is found', () => {
    const count = (path: string, text: string) =>
      rules.rulesReadingTheClock(parse({ [path]: text })).length
    const reads = ['Date.now()', 'new Date()', 'new Date', 'performance.now()', 'Math.random()']
    for (const read of reads)
      assert.equal(count('src/resources/a/rules.ts', `const x = ${read}`), 1, read)
    assert.equal(count('src/resources/a/rules.ts', 'const x = new Date(now)'), 0)
    assert.equal(count('src/resources/a/resource.ts', 'const x = Date.now()'), 0)
  })

  test('a file of 301 lines is found, a migration and a test are not', () => {
    const text = lines(301, 'f()')
    assert.equal(rules.longFiles(parse({ 'src/store/x.ts': text })).length, 1)
    assert.equal(rules.longFiles(parse({ 'src/store/x.ts': lines(300, 'f()') })).length, 0)
    assert.equal(rules.longFiles(parse({ 'src/store/migrations/1.ts': text })).length, 0)
    assert.equal(rules.longFiles(parse({ 'src/store/x.test.ts': text })).length, 0)
  })

  test('a function of 51 lines is found in each of its forms, past braces in text', () => {
    const body = (count: number) => `{\n${lines(count, "  f('}', /}/, `}`)")}}`
    const count = (text: string) => rules.longFunctions(parse({ 'src/x.ts': text })).length
    for (const head of [
      'function f(a: { b: 1 }): { c: 2 } ',
      'const f = async <T>(a: T) => ',
      'class A { m() ',
      'const a = { get x() ',
      'const a = { f: function () ',
    ]) {
      const tail = head.includes('= { ') || head.startsWith('class') ? ' }' : ''
      assert.equal(count(head + body(49) + tail), 1, head)
      assert.equal(count(head + body(48) + tail), 0, head)
    }
    assert.equal(count(`const f = () =>\n  g(\n${lines(60, '    1,')}  )`), 1)
  })

  test('an export without a docstring directly above it is found', () => {
    const count = (text: string) => rules.undocumentedExports(parse({ 'src/x.ts': text })).length
    for (const bare of [
      'export const a = 1',
      '// A comment.\nexport function f() {}',
      '/** Far away. */\n\nexport type A = 1',
      '/** */\nexport interface A {}',
      'const a = 1\nexport { a }',
    ])
      assert.equal(count(bare), 1, bare)
    for (const good of [
      '/** Says a. */\nexport const a = 1',
      '/**\n * Says f.\n */\nexport async function f() {}',
      '/** Says A. */\nexport const A = {}\nexport type A = typeof A',
      '/** Says a. */\nconst a = 1\nexport { a }',
      'const hidden = 1',
    ])
      assert.equal(count(good), 0, good)
  })

  test('a name that is not kebab-case, or says nothing, is found', () => {
    const bad = ['src/index.ts', 'src/store/utils.ts', 'src/userService.ts', 'src/order-service.ts']
    assert.equal(rules.badNames([...bad, 'test/helpers/x.ts', 'bench/A.ts']).length, 6)
    assert.deepEqual(rules.badNames(['src/store/group-commit.test.ts', 'bench/README.md']), [])
  })

  test('a folder or a registry of one machine is found', () => {
    const folder = `see /${'home'}/someone/notes.md`
    const lock = (host: string) => `"resolved": "https://${host}/a/-/a-1.0.0.tgz"`
    const registry = `registry=https://${'registry'}.example.com/`
    const found = rules.machineTraces({
      'a.md': folder,
      'package-lock.json': `${lock('mirror.example.com')}\n${lock('registry.npmjs.org')}`,
      '.npmrc': registry,
      'b.md': 'GET https://shop.example.com/home/page and src/mnt/x and ./root/x',
    })
    assert.equal(found.length, 3, found.join('\n'))
  })
})
