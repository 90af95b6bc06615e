import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const filesPerGroup = 24
const testsOfTheWhole = 'test/'
/** Tests of the whole take longer each. */
const wholePerGroup = 6

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
 * Groups files by the process that runs them. A file that imports `own-process.ts` is alone; others share
 * processes, which load the server once: those of the whole, which take longest and are first, in small groups.
 * Files of one folder, which take about as long, are in different groups, so that none is much longer.
 */
export function groupFiles(files: readonly string[]): readonly (readonly string[])[] {
  const {
    whole = [],
    alone = [],
    shared = [],
  } = Object.groupBy(files, (file) => {
    if (needsOwnProcess(file)) return 'alone'
    return file.startsWith(testsOfTheWhole) ? 'whole' : 'shared'
  })
  return [
    ...split(whole, wholePerGroup),
    ...alone.map((file) => [file]),
    ...split(shared, filesPerGroup),
  ]
}

function split(files: readonly string[], size: number): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / size)
  return Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
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
