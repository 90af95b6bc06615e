import { type ImportParts, runImports } from '#shop/imports/run.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import { openScratch } from '#store/database.ts'
import type { TestApp } from './app.ts'

/** Runs the waiting imports, as the thread of a server does, and returns how many there were. */
export const runWaitingImports = (
  { parts }: Pick<TestApp, 'parts'>,
  others: Partial<ImportParts> = {},
): Promise<number> =>
  runImports({ ...parts, openScratch: () => openScratch(tableDeclarations), ...others })
