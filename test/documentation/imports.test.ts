import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')

/** An import of a file of `src/` by another one. */
type Import = readonly [from: string, to: string]

const aliases = Object.entries(manifest.imports).map(
  ([alias, path]) => [alias.replace('*', ''), path.slice('./'.length).replace('*', '')] as const,
)

function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier))
  const [alias, folder] = aliases.find(([prefix]) => specifier.startsWith(prefix)) ?? []
  return alias === undefined ? undefined : `${folder}${specifier.slice(alias.length)}`
}

function readImports(): readonly Import[] {
  const listed = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => /(?<!\.test)\.ts$/.test(file))
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/(?:from|import)[\s(]*'([^']+)'/g)].flatMap(([, specifier = '']) => {
      const to = resolveImport(file, specifier)
      return to?.startsWith('src/') ? [[file, to] as const] : []
    })
  })
}

/** The folder of a file at a depth; undefined for a file above it. */
const folderAt = (file: string, depth: number): string | undefined => {
  const folders = dirname(file).split('/')
  return folders.length < depth ? undefined : folders.slice(0, depth).join('/')
}

/** The folders that each folder imports from, among those of the same folder. */
function folderImports(imports: readonly Import[], depth: number) {
  const found = new Map<string, Set<string>>()
  for (const [file, target] of imports) {
    const from = folderAt(file, depth)
    const to = folderAt(target, depth)
    if (from === undefined || to === undefined || from === to) continue
    if (dirname(from) === dirname(to)) found.set(from, (found.get(from) ?? new Set()).add(to))
  }
  return found
}

/** The folders from which imports lead back to them. */
function knotted(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reached = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const visit = (folder: string): void => {
      for (const next of graph.get(folder) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        visit(next)
      }
    }
    visit(start)
    return seen
  }
  return [...graph.keys()].filter((folder) => reached(folder).has(folder))
}

test('imports between folders run one way', () => {
  const imports = readImports()
  assert.ok(imports.length > 2_000, `read ${imports.length} imports`)
  for (const depth of [2, 3]) {
    const graph = folderImports(imports, depth)
    assert.ok(graph.size >= 10, `${graph.size} folders at depth ${depth}`)
    assert.deepEqual(knotted(graph), [])
  }
})

test('folders that import from each other are a knot', () => {
  const graph = new Map(Object.entries({ a: new Set(['b']), b: new Set(['c']), c: new Set(['b']) }))
  assert.deepEqual(knotted(graph), ['b', 'c'])
})

/** Imports that no folder may have, with the folders that may. */
const forbidden: readonly (readonly [specifier: string, allowed?: RegExp])[] = [
  ['#src/cli/a.ts'],
  ['#test/a.ts'],
  ['#shop/imports/a.ts', /^src\/shop$/],
  ['fastify', /^src\/http\//],
  ['kysely', /^src\/store$/],
]

test('Biome reports what each rule of imports.grit excludes', () => {
  const rules = readFileSync(join(root, 'imports.grit'), 'utf8')
  const folders = [...rules.matchAll(/\{ \$filename <: r"\.\*\/(src\/[^"]+)\/\.\*"/g)]
  assert.ok(folders.length > 20)
  const copy = mkdtempSync(join(tmpdir(), 'imports-'))
  const planted: string[] = []
  const plant = (file: string, text: string) => {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    writeFileSync(join(copy, file), text)
    planted.push(file)
  }
  try {
    cpSync(join(root, 'imports.grit'), join(copy, 'imports.grit'))
    const config = { plugins: ['./imports.grit'], linter: { rules: { preset: 'none' } } }
    writeFileSync(join(copy, 'biome.json'), JSON.stringify(config))
    for (const [, folder = ''] of folders) {
      for (const [index, [specifier, allowed]] of forbidden.entries()) {
        if (allowed?.test(folder)) continue
        plant(`${folder}/${index}.ts`, `import '${specifier}'\n`)
        plant(`${folder}/late-${index}.ts`, `export const late = import('${specifier}')\n`)
      }
    }
    assert.deepEqual(lint(copy), planted.toSorted())
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** Returns the files in which Biome finds an error. */
function lint(folder: string): readonly string[] {
  const biome = join(root, 'node_modules/.bin/biome')
  const parameters = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(biome, parameters, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout)
  return diagnostics
    .map((each: { location: { path: string } }) => each.location.path)
    .toSorted() as readonly string[]
}
