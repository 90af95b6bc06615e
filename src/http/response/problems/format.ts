import {
  json,
  mostPreferred,
  type Representation,
  readRanges,
  representations,
} from '#http/response/media-type.ts'

/** A form that errors are told in. */
export interface ErrorForm extends Pick<Representation, 'format' | 'contentType'> {
  /** Undefined for the usual one of this server. */
  readonly shape: 'simple' | 'problem' | undefined
}

const profile = 'simple-error'
const usual: ErrorForm = { ...json, shape: undefined }
const named = (type: string): string => `${type}; profile="${profile}"`

/** The media types of RFC 9457, and those that ask for the simple shape by a profile. */
export const specialErrorForms: ReadonlyMap<string, ErrorForm> = new Map<string, ErrorForm>([
  ...(['json', 'xml'] as const).map((format): [string, ErrorForm] => {
    const contentType = `application/problem+${format}`
    return [contentType, { format, contentType, shape: 'problem' }]
  }),
  ...[...representations].map(([type, { format, contentType }]): [string, ErrorForm] => [
    named(type),
    { format, contentType: named(contentType), shape: 'simple' },
  ]),
])

/** Of two as welcome, the first: who names a form that only errors have means it for errors. */
const forms: ReadonlyMap<string, ErrorForm> = new Map([
  ...specialErrorForms,
  ...[...representations].map(([type, form]): [string, ErrorForm] => [
    type,
    { ...form, shape: undefined },
  ]),
])

/** The form that an Accept welcomes most for an error; the usual one where it welcomes none. */
export function errorForm(accept: string | undefined): ErrorForm {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return usual
  const ranges = readRanges(accept, ({ type, parameters }) =>
    parameters.get('profile')?.split(' ').includes(profile) ? named(type) : type,
  )
  return mostPreferred(ranges, forms) ?? usual
}
