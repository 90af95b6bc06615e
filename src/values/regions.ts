import { likenessOf } from './likeness.ts'
import { subdivisions } from './subdivisions.ts'

/** A region of a country: its code (ISO 3166-2 without the country), and its name in English. */
export interface Region {
  readonly code: string
  readonly name: string
}

interface KnownRegions {
  readonly regions: readonly Region[]
  readonly byKey: ReadonlyMap<string, Region>
}

const known = new Map<string, KnownRegions>()

/** A text without accents, case, blanks and punctuation. */
const keyOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

function regionsOf(country: string): KnownRegions | undefined {
  const text = Object.hasOwn(subdivisions, country) ? subdivisions[country] : undefined
  if (text === undefined) return undefined
  const made = known.get(country) ?? readRegions(country, text)
  known.set(country, made)
  return made
}

function readRegions(country: string, text: string): KnownRegions {
  const regions: Region[] = []
  const byKey = new Map<string, Region>()
  const names: (readonly [string, Region])[] = []
  for (const [code = '', all = ''] of text.split(';').map((each) => each.split('='))) {
    const region = { code, name: all.split('|')[0] ?? '' }
    regions.push(region)
    for (const each of [code, country + code]) byKey.set(keyOf(each), region)
    for (const name of all.split('|')) names.push([keyOf(name), region])
  }
  // Of two regions with a name, the first; and no name stands for another region than a code does.
  for (const [key, region] of names) if (!byKey.has(key)) byKey.set(key, region)
  return { regions, byKey }
}

/**
 * Returns the region that a text names: by its code (ISO 3166-2), with or without the country, or by a name in English or
 * a language of the country. Undefined for an unknown one, and in a country whose regions are free text.
 */
export const findRegion = (country: string, text: string): Region | undefined =>
  regionsOf(country)?.byKey.get(keyOf(text))

/** Returns the region with the name nearest to a text; undefined in a country whose regions are free text. */
export function nearestRegion(country: string, text: string): Region | undefined {
  const wanted = keyOf(text)
  const likeness = ([key]: readonly [string, Region]) => likenessOf(key, wanted)
  return [...(regionsOf(country)?.byKey ?? [])].toSorted(
    (one, other) => likeness(other) - likeness(one),
  )[0]?.[1]
}
