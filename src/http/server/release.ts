import { readFileSync } from 'node:fs'

interface Release {
  readonly name: string
  readonly version: string
  readonly description: string
  /** An SPDX license identifier. */
  readonly license: string
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Release

/** The name, version, description and license in package.json. */
export const release: Release = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
}
