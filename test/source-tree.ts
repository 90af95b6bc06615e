import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import * as ast from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** One module another module is imported from, `resolved` being its path when it is one of ours. */
export interface ImportedModule {
  readonly specifier: string
  readonly resolved: string | undefined
  readonly line: number
  readonly typeOnly: boolean
}

/** One function, method or accessor, counted from its first line to its last. */
interface FunctionExtent {
  readonly name: string
  readonly line: number
  readonly lineCount: number
}

/** One exported name; `documented` when a docstring stands directly above its declaration. */
interface ExportedName {
  readonly name: string
  readonly line: number
  readonly documented: boolean
}

/** What the architecture checks know about one TypeScript file. */
export interface SourceFile {
  readonly path: string
  readonly lineCount: number
  readonly imports: readonly ImportedModule[]
  readonly functions: readonly FunctionExtent[]
  readonly exports: readonly ExportedName[]
  readonly anyLines: readonly number[]
  readonly defaultExportLines: readonly number[]
  readonly clockReads: readonly { readonly what: string; readonly line: number }[]
  readonly isBarrel: boolean
}

/** Text by path, relative to the root of the repository, with `/` between folders. */
export type Texts = Readonly<Record<string, string>>

/** `imports` of package.json: what an alias such as `#kernel/*` stands for. */
export type Aliases = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '..')

/** Reads every text file of the repository that git would keep, so binary and ignored files are absent. */
export function readRepository(): Texts {
  const texts: Record<string, string> = {}
  for (const path of listRepository()) {
    const absolute = join(root, path)
    if (!existsSync(absolute)) continue
    const content = readFileSync(absolute)
    if (!content.includes(0)) texts[path] = content.toString('utf8')
  }
  return texts
}

/** Reads the import aliases that package.json declares. */
export function readAliases(): Aliases {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports
}

// A source archive has no .git: the code is checked all the same.
function listRepository(): readonly string[] {
  if (!existsSync(join(root, '.git')))
    return globSync('{src,test,bench,docs}/**/*.*', { cwd: root })
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  return listed.toString('utf8').split('\0').filter(Boolean)
}

// One compiler process serves every parse and ends with this one; each parse has a folder here.
const virtualFiles = new Map<string, string>()
const compiler = new API({
  cwd: '/',
  fs: {
    readFile: (path) => virtualFiles.get(path) ?? null,
    fileExists: (path) => virtualFiles.has(path),
    directoryExists: () => true,
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path) => path,
  },
})
let projectCount = 0

/** Parses the TypeScript files among `texts` with the compiler's own parser; nothing is type-checked. */
export function parseSources(texts: Texts, aliases: Aliases): readonly SourceFile[] {
  const paths = Object.keys(texts).filter((path) => path.endsWith('.ts'))
  projectCount += 1
  const folder = `/project-${projectCount}`
  const compilerOptions = { noLib: true, noResolve: true, types: [], noEmit: true }
  virtualFiles.set(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: paths }))
  for (const path of paths) virtualFiles.set(`${folder}/${path}`, texts[path] ?? '')
  const snapshot = compiler.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] })
  const program = snapshot.getProject(`${folder}/tsconfig.json`)?.program
  return paths.map((path) => {
    const parsed = program?.getSourceFile(`${folder}/${path}`)
    if (parsed === undefined) throw new Error(`${path} was not parsed`)
    return describe(path, parsed, aliases)
  })
}

function describe(path: string, file: ast.SourceFile, aliases: Aliases): SourceFile {
  const nodes = [...descendants(file)]
  const line = (node: ast.Node) => lineAt(file, node.getStart(file))
  const linesOf = (found: readonly ast.Node[]) => found.map(line)
  return {
    path,
    lineCount: file.text.split('\n').length - (file.text.endsWith('\n') ? 1 : 0),
    imports: nodes.flatMap((node) => {
      const found = importOf(node)
      if (found === undefined) return []
      return [{ ...found, line: line(node), resolved: resolve(path, found.specifier, aliases) }]
    }),
    functions: nodes.filter(isFunctionWithBody).map((node) => extentOf(file, node)),
    exports: exportsOf(file),
    anyLines: linesOf(nodes.filter((node) => node.kind === ast.SyntaxKind.AnyKeyword)),
    defaultExportLines: linesOf(nodes.filter(isDefaultExport)),
    clockReads: nodes.flatMap((node) => {
      const what = clockReadOf(node, file)
      return what === undefined ? [] : [{ what, line: line(node) }]
    }),
    isBarrel: isBarrel(file),
  }
}

function* descendants(node: ast.Node): Generator<ast.Node> {
  const children: ast.Node[] = []
  node.forEachChild((child) => {
    children.push(child)
  })
  for (const child of children) {
    yield child
    yield* descendants(child)
  }
}

function lineAt(file: ast.SourceFile, position: number): number {
  return file.text.slice(0, position).split('\n').length
}

function importOf(node: ast.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ast.isImportDeclaration(node)) return named(node.moduleSpecifier, isTypeOnlyImport(node))
  if (ast.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
    return named(node.moduleSpecifier, node.isTypeOnly)
  if (ast.isImportTypeNode(node) && ast.isLiteralTypeNode(node.argument))
    return named(node.argument.literal, true)
  if (ast.isCallExpression(node) && node.expression.kind === ast.SyntaxKind.ImportKeyword)
    return named(node.arguments[0], false)
  return undefined
}

function named(node: ast.Node | undefined, typeOnly: boolean) {
  // A computed specifier keeps its source text, which no rule allows.
  if (
    node === undefined ||
    !(ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node))
  )
    return { specifier: `(${node?.getText() ?? ''})`, typeOnly }
  return { specifier: node.text, typeOnly }
}

function isTypeOnlyImport(node: ast.ImportDeclaration): boolean {
  const clause = node.importClause
  if (clause?.phaseModifier === ast.SyntaxKind.TypeKeyword) return true
  const bindings = clause?.namedBindings
  if (clause?.name !== undefined || bindings === undefined || !ast.isNamedImports(bindings))
    return false
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly)
}

function resolve(from: string, specifier: string, aliases: Aliases): string | undefined {
  if (specifier.startsWith('.')) return posix.join(dirname(from), specifier)
  for (const [alias, target] of Object.entries(aliases)) {
    const prefix = alias.replace('*', '')
    if (specifier.startsWith(prefix))
      return posix.normalize(target.replace('*', specifier.slice(prefix.length)))
  }
  return undefined
}

function isFunctionWithBody(node: ast.Node): node is ast.FunctionLikeDeclaration {
  return ast.isFunctionLikeDeclaration(node) && node.body !== undefined
}

function extentOf(file: ast.SourceFile, node: ast.FunctionLikeDeclaration): FunctionExtent {
  const line = lineAt(file, node.getStart(file))
  const { parent } = node
  const held = ast.isVariableDeclaration(parent) || ast.isPropertyAssignment(parent)
  const named = held
    ? parent.name
    : 'name' in node
      ? (node.name as ast.Node | undefined)
      : undefined
  const name = named?.getText(file) ?? '(anonymous)'
  return { name, line, lineCount: lineAt(file, node.getEnd()) - line + 1 }
}

function isDefaultExport(node: ast.Node): boolean {
  if (ast.isExportAssignment(node)) return true
  if (ast.isExportSpecifier(node)) return node.name.getText() === 'default'
  return node.kind === ast.SyntaxKind.DefaultKeyword && !ast.isDefaultClause(node.parent)
}

const clocks = ['Date.now', 'Temporal.Now', 'process.hrtime', 'Math.random']

function clockReadOf(node: ast.Node, file: ast.SourceFile): string | undefined {
  if (ast.isPropertyAccessExpression(node)) {
    const text = node.getText(file)
    return clocks.find((clock) => clock === text)
  }
  if (ast.isIdentifier(node) && node.text === 'performance') return 'performance'
  if (!ast.isNewExpression(node) && !ast.isCallExpression(node)) return undefined
  const argumentCount = node.arguments?.length ?? 0
  return node.expression.getText(file) === 'Date' && argumentCount === 0 ? 'new Date()' : undefined
}

function exportsOf(file: ast.SourceFile): readonly ExportedName[] {
  const listed = new Set(file.statements.flatMap(namesExportedLater))
  const found: ExportedName[] = []
  for (const statement of file.statements) {
    const exported = isExported(statement)
    const line = lineAt(file, statement.getStart(file))
    for (const name of declaredNames(statement, file))
      if (exported || listed.has(name))
        found.push({ name, line, documented: hasDocstring(statement, file) })
  }
  // A schema and its type share one name, overloads too: one docstring speaks for them.
  const documented = new Set(found.filter((each) => each.documented).map((each) => each.name))
  return found.map((each) => ({ ...each, documented: documented.has(each.name) }))
}

function namesExportedLater(statement: ast.Statement): readonly string[] {
  if (!ast.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return []
  const clause = statement.exportClause
  if (clause === undefined || !ast.isNamedExports(clause)) return []
  return clause.elements.map((element) => (element.propertyName ?? element.name).getText())
}

function isExported(statement: ast.Statement): boolean {
  const modifiers = 'modifiers' in statement ? (statement.modifiers as readonly ast.Node[]) : []
  return modifiers?.some((modifier) => modifier.kind === ast.SyntaxKind.ExportKeyword) ?? false
}

function declaredNames(statement: ast.Statement, file: ast.SourceFile): readonly string[] {
  if (ast.isVariableStatement(statement))
    return statement.declarationList.declarations.map((each) => each.name.getText(file))
  if (ast.isExportDeclaration(statement) || !('name' in statement)) return []
  return [(statement.name as ast.Node | undefined)?.getText(file) ?? 'default']
}

function hasDocstring(statement: ast.Statement, file: ast.SourceFile): boolean {
  const docstring = statement.jsDoc?.at(-1)
  if (docstring === undefined) return false
  const between = file.text.slice(docstring.getEnd(), statement.getStart(file))
  return /^[ \t]*\n?[ \t]*$/.test(between) && /\w/.test(docstring.getText(file))
}

function isBarrel(file: ast.SourceFile): boolean {
  const { statements } = file
  const passesOn = (statement: ast.Statement) =>
    ast.isImportDeclaration(statement) || ast.isExportDeclaration(statement)
  return statements.some(ast.isExportDeclaration) && statements.every(passesOn)
}
