import { captureAnswer } from './capture.ts'
import type { Child } from './child.ts'
import type { Side } from './compare.ts'
import { readPaths } from './scenarios.ts'

const xml = 'application/xml'

/** The same read in XML and in JSON. */
export interface TwoForms {
  readonly name: string
  readonly inXml: Side
  readonly inJson: Side
}

/** Reads of 20 products in turn and of the list of them, each in two forms from the same server. */
export async function readsInTwoForms(child: Child): Promise<readonly TwoForms[]> {
  const list = '/products?limit=20'
  const { body } = await captureAnswer(child.port, list)
  const { data } = JSON.parse(body) as { readonly data: readonly { readonly id: number }[] }
  const products = data.map(({ id }) => `/products/${id}`)
  for (const path of [list, ...products]) await requireXml(child, path)
  return [twoForms('GET product', child, products), twoForms('GET list of 20', child, [list])]
}

const twoForms = (name: string, child: Child, paths: readonly string[]): TwoForms => ({
  name,
  inXml: { child, scenario: readPaths(paths, xml) },
  inJson: { child, scenario: readPaths(paths) },
})

/** Throws where a path is not answered in XML, which would make both sides the same. */
async function requireXml({ port }: Child, path: string): Promise<void> {
  const { body } = await captureAnswer(port, path, xml)
  if (!body.startsWith('<?xml ')) throw new Error(`GET ${path}: no XML, but ${body.slice(0, 100)}`)
}
