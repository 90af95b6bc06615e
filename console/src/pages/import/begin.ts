import type { Json } from '../../api/json.ts'
import { pathOf } from '../../api/links.ts'
import { write } from '../../api/write.ts'
import { open } from '../../router.ts'

/** The fields that columns are because the user says so; null for one that is left out. */
export type Mapping = Readonly<Record<string, string | null>>

/** A file to import. */
export interface ChosenFile {
  readonly file: File
  /** What its rows are. */
  readonly resource: string
  readonly mapping: Mapping
}

/** The files of the imports that were begun since this page of the browser was loaded, by their paths. */
const begun = new Map<string, ChosenFile>()

/** Returns the file of an import; undefined once the page of the browser was loaded again. */
export const chosenFor = (path: string): ChosenFile | undefined => begun.get(path)

/** Begins an import, or a check that writes nothing, and opens its page. Throws an ApiProblem. */
export async function beginImport(chosen: ChosenFile, isDryRun: boolean): Promise<void> {
  const { file, resource, mapping } = chosen
  const form = new FormData()
  if (Object.keys(mapping).length > 0) form.append('mapping', JSON.stringify(mapping))
  form.append('file', file)
  // The type of a Blob is in lower case, and the boundary in it is not.
  const whole = new Response(form)
  const type = whole.headers.get('content-type') ?? ''
  const query = new URLSearchParams({ resource, ...(isDryRun ? { dry_run: 'true' } : {}) })
  const { location } = await write('POST', `/imports?${query}`, {
    body: await whole.blob(),
    headers: { 'content-type': type },
  })
  if (location === undefined) return
  const path = pathOf(location)
  begun.set(path, chosen)
  open(path)
  window.scrollTo(0, 0)
}

/** Returns the fields of columns that an import tells. */
export const mappingOf = (value: Json | undefined): Mapping => (value ?? {}) as Mapping
