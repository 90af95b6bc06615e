import { isBuiltin } from 'node:module'
import type { ImportedModule, SourceFile } from './source-tree.ts'

type Layer = keyof typeof mayImport

// Read as: code in the layer on the left may import the layers on the right, and no others.
const mayImport = {
  main: [
    'main',
    'app',
    'jobs',
    'config',
    'parts',
    'slice',
    'demo',
    'sandbox',
    'certificate',
    'operations',
    'identity',
    'limits',
    'store',
    'kernel',
    'values',
  ],
  generate: ['app', 'config', 'identity', 'store', 'kernel', 'values'],
  app: [
    'config',
    'resource list',
    'holdings',
    'parts',
    'slice',
    'identity',
    'limits',
    'operations',
    'store',
    'kernel',
    'values',
  ],
  jobs: ['holdings', 'slice', 'identity', 'store', 'values'],
  config: ['config', 'values'],
  'resource list': ['slice', 'parts', 'store', 'kernel', 'values'],
  // Whatever keeps something about users.
  holdings: ['slice', 'identity', 'store'],
  slice: ['slice', 'parts', 'store', 'kernel', 'values'],
  parts: ['slice', 'kernel', 'values'],
  identity: ['identity', 'store', 'kernel', 'values'],
  operations: ['operations', 'store', 'kernel', 'values'],
  limits: ['limits', 'kernel', 'values'],
  demo: ['demo', 'slice', 'store', 'values'],
  // Its ledger is a file that is kept as private as the database.
  sandbox: ['sandbox', 'store', 'values'],
  certificate: ['certificate'],
  // What a transaction and a page are is the store's to say; the kernel uses the types alone.
  kernel: ['kernel', 'store', 'values'],
  store: ['store', 'values'],
  values: ['values'],
} as const

const rootFiles: Readonly<Record<string, Layer>> = {
  'main.ts': 'main',
  'migrate.ts': 'main',
  'seed.ts': 'main',
  'rotate-keys.ts': 'main',
  'cert.ts': 'main',
  'admin.ts': 'main',
  'generate.ts': 'generate',
  'app.ts': 'app',
  'config.ts': 'config',
  'setting.ts': 'config',
  'settings.ts': 'config',
  'resources.ts': 'resource list',
  'holdings.ts': 'holdings',
  'jobs.ts': 'jobs',
}

const folders: Readonly<Record<string, Layer>> = {
  kernel: 'kernel',
  values: 'values',
  store: 'store',
  identity: 'identity',
  operations: 'operations',
  limits: 'limits',
  start: 'main',
  sandbox: 'sandbox',
  certificate: 'certificate',
  demo: 'demo',
  resources: 'slice',
}

/** Where a file of src stands: its layer and, inside a slice, the slice and the file's role. */
interface Place {
  readonly layer: Layer
  readonly slice: string
  readonly role: string
}

// Inside a slice. A role that is not listed (a worker, a provider) may use all but the resource.
const mayUseInOwnSlice: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  rules: ['schema', 'provider'],
  versions: ['schema'],
  table: ['schema'],
  store: ['schema', 'rules', 'table'],
}
const mayUseInOtherSlice: Readonly<Record<string, readonly string[]>> = {
  schema: ['schema'],
  rules: ['schema', 'rules'],
  table: ['schema'],
  store: ['schema', 'rules', 'store', 'table'],
}
const sharedRoles = ['schema', 'rules', 'store', 'table', 'access', 'acts', 'provider']

/** Names every import that runs against the direction of the layers, or inside a slice. */
export function importsAgainstDirection(files: readonly SourceFile[]): readonly string[] {
  return ownSources(files).flatMap((file) => {
    const from = placeOf(file.path)
    if (from === undefined) return [`${file.path} has no place in the layers`]
    return file.imports.flatMap((imported) => {
      const reason = objection(from, imported)
      return reason === undefined ? [] : [at(file, imported, reason)]
    })
  })
}

/** Names every import of a package outside the folders that are allowed to know it. */
export function packagesOutOfPlace(files: readonly SourceFile[]): readonly string[] {
  return ownSources(files).flatMap((file) =>
    file.imports
      .filter((imported) => isPackage(imported) && !knows(file.path, imported))
      .map((imported) => at(file, imported, 'this package has no place here')),
  )
}

/** Names every ring of files that import one another, type-only imports included, once. */
export function importCycles(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || finished.has(path)) return
    const targets = new Set(byPath.get(path)?.imports.map((imported) => imported.resolved))
    for (const target of targets) if (target !== undefined) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const file of files) visit(file.path, [])
  return cycles
}

function ownSources(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter((file) => file.path.startsWith('src/') && !isTest(file.path))
}

/** Tells a test file from the code it tests. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

function at(file: SourceFile, imported: ImportedModule, reason: string): string {
  return `${file.path}:${imported.line} imports ${imported.specifier}: ${reason}`
}

function placeOf(path: string): Place | undefined {
  const [, first = '', ...rest] = path.split('/')
  if (path === 'src/resources/parts.ts') return { layer: 'parts', slice: '', role: '' }
  const layer = rest.length === 0 ? rootFiles[first] : folders[first]
  if (layer === undefined || (layer === 'slice' && rest.length < 2)) return undefined
  const role = rest.slice(1).join('/').replace(/\.ts$/, '')
  return { layer, slice: rest[0] ?? '', role }
}

function objection(from: Place, imported: ImportedModule): string | undefined {
  const { specifier, resolved } = imported
  if (specifier.startsWith('(')) return 'a computed import hides what is used'
  if (resolved === undefined) return undefined
  if (!resolved.startsWith('src/') || isTest(resolved)) return 'code imports code only, no tests'
  const to = placeOf(resolved)
  if (to === undefined) return 'it has no place in the layers'
  const layers: readonly Layer[] = mayImport[from.layer]
  if (!layers.includes(to.layer)) return `${from.layer} may not import ${to.layer}`
  if (to.layer !== 'slice') return undefined
  return from.layer === 'slice' ? objectionInSlices(from, to) : objectionFromOutside(from, to)
}

function objectionInSlices(from: Place, to: Place): string | undefined {
  const own = from.slice === to.slice
  if (to.role === 'resource') return 'nobody but the resource list imports a resource'
  const allowed = own ? mayUseInOwnSlice[from.role] : mayUseInOtherSlice[from.role]
  if (allowed !== undefined && !allowed.includes(to.role))
    return `${from.role} may not use ${own ? 'its' : 'another slice’s'} ${to.role}`
  if (!own && !sharedRoles.includes(to.role)) return `${to.role} is private to its slice`
  return undefined
}

function objectionFromOutside(from: Place, to: Place): string | undefined {
  const isResource = to.role === 'resource'
  if (from.layer === 'resource list')
    return isResource || to.role === 'acts' ? undefined : 'the list names resources only'
  if (isResource) return 'nobody but the resource list imports a resource'
  if (from.layer === 'demo' && !sharedRoles.includes(to.role))
    return `${to.role} is private to its slice`
  return undefined
}

/** The one file by which all others have what of Kysely runs. */
const kyselyItself = 'src/store/kysely.ts'

const isPackage = ({ resolved }: ImportedModule): boolean =>
  resolved === undefined || resolved === kyselyItself

function knows(path: string, imported: ImportedModule): boolean {
  const { specifier, resolved, typeOnly } = imported
  const builtin = isBuiltin(specifier)
  if (path.startsWith('src/values/')) return builtin && typeOnly
  if (path.startsWith('src/sandbox/')) return builtin
  if (resolved === kyselyItself || specifier === 'kysely' || specifier.startsWith('kysely/')) {
    const isStores = path.startsWith('src/store/') || /[/-](store|table)\.ts$/.test(path)
    return isStores && (typeOnly || resolved === kyselyItself)
  }
  if (specifier === 'typebox' || specifier === 'prom-client') return typeOnly
  if (/^(@fastify\/|fastify($|\/|-))/.test(specifier))
    return path.startsWith('src/kernel/') || path === 'src/app.ts'
  if (specifier === 'ioredis') return path.startsWith('src/limits/')
  if (specifier === 'node:perf_hooks' || specifier === 'node:timers')
    return !path.endsWith('/rules.ts')
  return true
}
