import { basename } from 'node:path'
import { isTest } from './import-rules.ts'
import type { SourceFile, Texts } from './source-tree.ts'

const maximumFileLines = 300
const maximumFunctionLines = 50

// The only places where route types are erased.
// Two erase the types of routes; tests look into bodies of every shape through the third.
const filesAllowedAny = ['src/kernel/noun.ts', 'src/kernel/verb.ts', 'test/app.ts']

const forbiddenWords = ['util', 'utils', 'helper', 'helpers', 'common', 'service', 'manager']

/** Names every file that is longer than a reader can hold: migrations, data and tests may be. */
export function longFiles(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => !mayBeLong(file.path) && file.lineCount > maximumFileLines)
    .map((file) => `${file.path} has ${file.lineCount} lines, at most ${maximumFileLines}`)
}

/** Names every function that is longer than a screen: migrations, data and tests may be. */
export function longFunctions(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    file.functions
      .filter((each) => !mayBeLong(file.path) && each.lineCount > maximumFunctionLines)
      .map(
        ({ name, line, lineCount }) =>
          `${file.path}:${line} ${name} has ${lineCount} lines, at most ${maximumFunctionLines}`,
      ),
  )
}

function mayBeLong(path: string): boolean {
  const isSentences = /^src\/values\/(english|chinese|spanish|french|german)\.ts$/.test(path)
  return (
    isTest(path) ||
    isSentences ||
    /^(test|src\/store\/migrations|src\/demo\/catalogue)\//.test(path)
  )
}

/** Names every default export: a thing has one name, the same at both ends. */
export function defaultExports(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) =>
    file.defaultExportLines.map((line) => `${file.path}:${line} exports a default`),
  )
}

/** Names every file that only passes on what others export. */
export function barrels(files: readonly SourceFile[]): readonly string[] {
  return files.filter((file) => file.isBarrel).map((file) => `${file.path} only re-exports`)
}

/** Names every `any` outside the kernel files that erase route types. */
export function anyOutsideTheKernel(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => !filesAllowedAny.includes(file.path))
    .flatMap((file) => file.anyLines.map((line) => `${file.path}:${line} says any`))
}

/** Names every place where a `rules.ts` reads a clock or chance instead of being given it. */
export function rulesReadingTheClock(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => basename(file.path) === 'rules.ts')
    .flatMap((file) =>
      file.clockReads.map(({ what, line }) => `${file.path}:${line} reads ${what}`),
    )
}

/** Names every export of src that has no docstring directly above it. */
export function undocumentedExports(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter((file) => file.path.startsWith('src/') && !isTest(file.path))
    .flatMap((file) =>
      file.exports
        .filter((each) => !each.documented)
        .map(({ name, line }) => `${file.path}:${line} exports ${name} without a docstring`),
    )
}

/** Names every path that is not kebab-case, or whose name could mean anything. */
export function badNames(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => /^(src|test|bench)\/.*(?<!README\.md)$/.test(path))
    .flatMap((path) => {
      const names = path.split('/').map((name) => name.replace(/(\.test|\.d)?\.\w+$/, ''))
      const bad = names.find((name) => !isKebabCase(name) || saysNothing(name))
      return bad === undefined ? [] : [`${path}: "${bad}" is not a name we use`]
    })
}

function isKebabCase(name: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
}

function saysNothing(name: string): boolean {
  return name === 'index' || name.split('-').some((word) => forbiddenWords.includes(word))
}

const machinePath =
  /(?<![\w.~:/-])\/(?:home\/(?!node\b)|root\/|Users\/|work\/|workspaces?\/|mnt\/)[\w.-]+/g
const registryHost = /https?:\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio)[\w.-]*/g
const lockedHost = /(?<="resolved": ")https?:\/\/[\w.:-]+/g
const publicRegistry = 'https://registry.npmjs.org'

/** Names every trace of the machine a file was written on: its folders, its package registry. */
export function machineTraces(texts: Texts): readonly string[] {
  return Object.entries(texts).flatMap(([path, text]) => {
    const hosts = text.match(path.endsWith('package-lock.json') ? lockedHost : registryHost) ?? []
    const traces = [...hosts, ...(text.match(machinePath) ?? [])]
    const told = traces.filter((trace) => trace !== publicRegistry)
    return [...new Set(told)].map((trace) => `${path} names ${trace}`)
  })
}
