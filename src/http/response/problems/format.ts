import {
  jsonRepresentation,
  preferredOf,
  type Representation,
  readRanges,
  representations,
} from '#http/message/media-type.ts'

/** The media type and shape of an error body. */
export interface ErrorFormat extends Pick<Representation, 'format' | 'contentType'> {
  /** Undefined for the configured shape. */
  readonly shape: 'simple' | 'problem' | undefined
}

const profile = 'simple-error'
const defaultFormat: ErrorFormat = { ...jsonRepresentation, shape: undefined }
const withProfile = (type: string): string => `${type}; profile="${profile}"`

/** The media types that select a shape: those of RFC 9457, and a profile for the simple shape. */
export const shapedFormats: ReadonlyMap<string, ErrorFormat> = new Map<string, ErrorFormat>([
  ...(['json', 'xml'] as const).map((format): [string, ErrorFormat] => {
    const contentType = `application/problem+${format}`
    return [contentType, { format, contentType, shape: 'problem' }]
  }),
  ...[...representations].map(([type, { format, contentType }]): [string, ErrorFormat] => [
    withProfile(type),
    { format, contentType: withProfile(contentType), shape: 'simple' },
  ]),
])

/** With the same quality, a media type that only errors have is preferred. */
const formats: ReadonlyMap<string, ErrorFormat> = new Map([
  ...shapedFormats,
  ...[...representations].map(([type, representation]): [string, ErrorFormat] => [
    type,
    { ...representation, shape: undefined },
  ]),
])

/** Chooses the format of an error by `Accept`; the default one if none is acceptable. */
export function negotiateErrorFormat(accept: string | undefined): ErrorFormat {
  if (accept === undefined || accept === '*/*' || accept === 'application/json')
    return defaultFormat
  const ranges = readRanges(accept, ({ type, parameters }) =>
    parameters.get('profile')?.split(' ').includes(profile) ? withProfile(type) : type,
  )
  // A browser prefers a page, which no problem has; it shows JSON better than XML.
  if (ranges.get('text/html') === 1 && ranges.get('application/xml') !== 1) return defaultFormat
  return preferredOf(ranges, formats) ?? defaultFormat
}
