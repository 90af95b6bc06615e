import { readFileSync } from 'node:fs'

interface Release {
  readonly name: string
  readonly version: string
  readonly description: string
  /** By its SPDX identifier. */
  readonly license: string
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Release

/** What is running, as its package states it. */
export const release: Release = {
  name: manifest.name,
  version: manifest.version,
  description: manifest.description,
  license: manifest.license,
}
