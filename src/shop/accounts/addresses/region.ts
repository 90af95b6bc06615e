import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'
import { findRegion, nearestRegion } from '#values/regions.ts'

/** What the field `region` takes. */
export const regionDescription =
  'State, province or county. In AE, AR, AU, BR, CA, CN, ES, ID, IN, IT, JP, MX, MY and US a code (ISO 3166-2, with or without the country) or a name in English or the language of the country, which becomes the code without the country.'

/** The parts of an address that depend on each other. */
interface Place {
  readonly country?: string | null | undefined
  readonly region?: string | null | undefined
}

/**
 * Returns the region of a place as it is stored: the code where the country has known regions, else as it is. Throws
 * 422/4221 on `field` for an unknown one, with the nearest.
 */
export function regionOf({ country, region }: Place, field: string): string | null {
  if (region == null) return null
  if (country == null) return region
  const found = findRegion(country, region)
  if (found) return found.code
  const nearest = nearestRegion(country, region)
  if (!nearest) return region
  const values = { country, code: nearest.code, name: nearest.name }
  throw fieldProblem([{ field, message: createMessage('region.unknown', values) }])
}

/** What a change of the country takes with it: the region and postal code of the former one. */
export const withoutFormerPlace = (
  { country: former }: Place,
  { country }: Place,
): { readonly region?: null; readonly postal_code?: null } =>
  country === undefined || country === former ? {} : { region: null, postal_code: null }
