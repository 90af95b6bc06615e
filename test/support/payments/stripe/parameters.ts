import { ApiError, badParameter } from './errors.ts'

/** Form parameters, nested as their names say: `metadata[order_id]=1`. */
export type Parameters = { readonly [name: string]: string | Parameters }

/** Parses a form body or a query as Stripe does. */
export function parseForm(text: string): Parameters {
  const root: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    const last = path.pop() ?? ''
    let at = root
    for (const part of path) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[last] = value
  }
  return root as Parameters
}

/** The kind of a parameter. */
type Kind = 'text' | 'integer' | 'boolean' | 'list' | 'metadata' | 'url' | 'object'

/** The parameters that an endpoint takes. */
export type Signature = Readonly<Record<string, Kind>>

/** Throws 400 for a parameter that the endpoint does not know or that is of another kind. */
export function checkParameters(given: Parameters, signature: Signature): void {
  for (const [name, value] of Object.entries(given)) {
    const kind = signature[name]
    if (kind === undefined) {
      throw badParameter(name, 'parameter_unknown', `Received unknown parameter: ${name}`)
    }
    const mistake = checks[kind](value)
    if (mistake) throw badParameter(name, mistake, `Invalid ${kind}: ${name}`)
  }
}

type Check = (value: string | Parameters) => string | undefined

const isText = (value: string | Parameters): value is string => typeof value === 'string'

const checks: Readonly<Record<Kind, Check>> = {
  text: (value) => (isText(value) && value !== '' ? undefined : 'parameter_invalid_empty'),
  integer: (value) =>
    isText(value) && /^\d{1,12}$/.test(value) ? undefined : 'parameter_invalid_integer',
  boolean: (value) =>
    value === 'true' || value === 'false' ? undefined : 'parameter_invalid_boolean',
  list: (value) =>
    !isText(value) && Object.keys(value).every((key, at) => key === String(at))
      ? undefined
      : 'parameter_invalid_list',
  object: (value) => (isText(value) ? 'parameter_invalid_object' : undefined),
  url: (value) => (isText(value) && URL.canParse(value) ? undefined : 'url_invalid'),
  metadata: (value) =>
    !isText(value) &&
    Object.entries(value).length <= 50 &&
    Object.entries(value).every(
      ([key, each]) => key.length <= 40 && isText(each) && each.length <= 500,
    )
      ? undefined
      : 'parameter_invalid_metadata',
}

/** Reads a parameter that the endpoint requires. */
export function requireText(given: Parameters, name: string): string {
  const value = given[name]
  if (isText(value ?? {})) return String(value)
  throw new ApiError(400, {
    ...{ type: 'invalid_request_error', code: 'parameter_missing', param: name },
    message: `Missing required param: ${name}.`,
  })
}

/** Reads an optional text. */
export const readText = (given: Parameters, name: string): string | undefined => {
  const value = given[name]
  return value !== undefined && isText(value) ? value : undefined
}

/** Reads metadata; none by default. */
export const readMetadata = (given: Parameters): Record<string, string> => {
  const value = given['metadata']
  return value === undefined || isText(value) ? {} : (value as Record<string, string>)
}
