import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const filesPerGroup = 12
const testsOfTheWhole = 'test/'

/** The test files whose path contains one of the filters, all without any, as paths from the project. */
export function findTestFiles(filters: readonly string[]): readonly string[] {
  const relativeFilters = filters.map((filter) => relative(root, filter))
  const matches = (path: string) =>
    filters.length === 0 ||
    [...filters, ...relativeFilters].some((part) => part && path.includes(part))
  return globSync('{src,test,bench,packages/*/src}/**/*.test.ts', { cwd: root })
    .sort()
    .filter(matches)
}

/**
 * Groups files by the process that runs them. A file that imports `own-process.ts` is alone, and so are tests
 * of the whole, which take longest and are first; others share processes, which load the server once. Files of one
 * folder, which take about as long, are in different groups, so that none of the groups is much longer.
 */
export function groupFiles(files: readonly string[]): readonly (readonly string[])[] {
  const {
    whole = [],
    alone = [],
    shared = [],
  } = Object.groupBy(files, (file) => {
    if (file.startsWith(testsOfTheWhole)) return 'whole'
    return needsOwnProcess(file) ? 'alone' : 'shared'
  })
  const groups = [...whole, ...alone].map((file) => [file])
  const sharing = Math.ceil(shared.length / filesPerGroup)
  for (let group = 0; group < sharing; group += 1) {
    groups.push(shared.filter((_, at) => at % sharing === group))
  }
  return groups
}

const needsOwnProcess = (file: string): boolean =>
  readFileSync(join(root, file), 'utf8').includes("'#test/support/run/own-process.ts'")

/** Returns the path of the file with which Node starts the process of a group: a new one in `folder` for several. */
export function entryFile(group: readonly string[], folder: string): string {
  const [first = ''] = group
  if (group.length === 1) return join(root, first)
  const entry = join(folder, `${group.length} from ${first.replaceAll('/', '-')}.cjs`)
  const declare = JSON.stringify(join(import.meta.dirname, 'declare-files.ts'))
  writeFileSync(entry, `require(${declare}).declareFiles(${JSON.stringify(group)})\n`)
  return entry
}
