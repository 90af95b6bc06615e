import type { Json } from '#http/codec/wire-schema.ts'
import type { OpenApiFragment } from '#http/exchange/step.ts'
import type { HeaderName } from '#http/message/header-fields.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { shapedFormats } from '#http/response/problems/format.ts'
import { errorExample } from '#http/response/problems/schema.ts'
import { english } from '#i18n/en.ts'
import { type ErrorCode, errorCatalogue } from '#i18n/error-codes.ts'
import { type Components, headersOf, reference } from './components.ts'
import { toPascalCase } from './names.ts'
import type { Schemas } from './schemas.ts'

/** What the operations of a document share. */
export interface DocumentContext {
  readonly components: Components
  readonly schemas: Schemas
  readonly errorShape: ErrorShape
  /** The names of the security schemes of users. */
  readonly schemes: readonly string[]
  /** True if the described version of the API is deprecated. */
  readonly isDeprecated: boolean
  /** Returns the header fields of the problems of these statuses. */
  readonly headersOfProblems: (statuses: readonly number[]) => readonly HeaderName[]
}

/** Returns the header fields of problems of statuses. */
export const headersOfProblemsIn =
  (fragments: readonly OpenApiFragment[]) =>
  (statuses: readonly number[]): readonly HeaderName[] =>
    collectDistinct(fragments, ({ problemHeaders }) =>
      statuses.flatMap((status) => problemHeaders?.[status] ?? []),
    )

/** Returns the distinct values that `pick` finds in the fragments. */
export const collectDistinct = <T>(
  fragments: readonly OpenApiFragment[],
  pick: (fragment: OpenApiFragment) => readonly T[] | undefined,
): T[] => [...new Set(fragments.flatMap((fragment) => pick(fragment) ?? []))]

const authentication = ['4011', '4012', '4013'] as const
const permission = ['4031', '4032', '4033'] as const
const malformed = ['4001', '4003', '4004'] as const
const ofReads = ['4061', '4121', '4141', '4291', '5001', '5031'] as const
const malformedWrites = ['4001', '4002', '4003', '4004'] as const
const ofWrites = ['4061', '4131', '4141', '4151', '4152', '4291', '5001', '5031'] as const

/**
 * The problem responses that operations share, by name. An operation refers to the first one that has
 * all of its codes of a status; a set of codes beyond these is named by their labels.
 */
const sharedResponses: Readonly<Record<string, readonly ErrorCode[]>> = {
  BadQuery: malformed,
  BadRequest: malformedWrites,
  Unauthorized: authentication,
  Forbidden: permission,
  NotFound: ['4041'],
  Conflict: ['4091', '4094'],
  ConflictOrDuplicate: ['4091', '4092', '4094'],
  ConflictOrOutOfStock: ['4091', '4093', '4094'],
  Invalid: ['4221', '4222'],
  InvalidOrDeclined: ['4221', '4222', '4223'],
  OpenReadError: ofReads,
  OpenWriteError: ofWrites,
  ReadError: [...authentication, ...permission, '4101', ...ofReads],
  WriteError: [...authentication, ...permission, '4101', ...ofWrites],
}

/** The problems that have nothing to do with the operation, documented as `default`. */
const unspecificCodes: ReadonlySet<ErrorCode> = new Set(ofWrites)
/** The problems that all operations with credentials have alike, documented as `default`, too. */
const accessCodes: ReadonlySet<ErrorCode> = new Set([...authentication, ...permission])

/** What the problems of an operation depend on. */
interface ProblemTraits {
  /** True if callers may authenticate. */
  readonly takesCredentials: boolean
  /** True if the resource itself may have been removed, and not only one above it. */
  readonly mayBeGone: boolean
}

/** Returns the problem responses, by status. */
export function problemResponses(
  fragments: readonly OpenApiFragment[],
  { takesCredentials, mayBeGone }: ProblemTraits,
  context: DocumentContext,
): Json {
  const codes = collectDistinct(fragments, ({ problems }) => problems).toSorted()
  const headers = collectDistinct(fragments, ({ requestHeaders }) => requestHeaders)
  // Only writes document the preconditions that end in 412.
  const isUnspecific = (code: ErrorCode) =>
    unspecificCodes.has(code) ||
    (takesCredentials && accessCodes.has(code)) ||
    (!mayBeGone && code === '4101') ||
    (code === '4121' && !headers.includes('If-Match'))
  const groups = Map.groupBy(codes, (code) =>
    isUnspecific(code) ? 'default' : String(errorCatalogue[code].status),
  )
  return Object.fromEntries(
    [...groups].map(([status, group]) => [status, sharedResponse(status, group, context)]),
  )
}

function sharedResponse(
  status: string,
  codes: readonly ErrorCode[],
  context: DocumentContext,
): Json {
  const [name, all] = Object.entries(sharedResponses).find(
    ([, shared]) =>
      codes.every((code) => shared.includes(code)) &&
      (status === 'default') === shared.includes('5031'),
  ) ?? [codes.map((code) => toPascalCase(errorCatalogue[code].label)).join('Or'), codes]
  const description = status === 'default' ? listCodes(all) : explainCodes(all)
  return context.components.once('responses', name, () => ({
    description,
    ...describeProblems(all, context),
  }))
}

const explainCodes = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\` ${english[`title.${code}`]}`).join('\n\n')

/** Short, because tools copy it to every operation. */
const listCodes = (codes: readonly ErrorCode[]): string =>
  `Any other problem, see \`GET /problems\`: ${codes
    .toSorted()
    .map((code) => `\`${code}\``)
    .join(' ')}`

const describeProblems = (
  codes: readonly ErrorCode[],
  { components, errorShape, headersOfProblems }: DocumentContext,
): Json => ({
  ...headersOf(headersOfProblems(statusesOfCodes(codes)), components),
  content: {
    'application/json': {
      schema: reference('schemas', 'Error'),
      examples: Object.fromEntries(
        codes
          .slice(0, 1)
          .map((code) => [
            code,
            components.once('examples', code, () => ({ value: errorExample(code, errorShape) })),
          ]),
      ),
    },
    'application/xml': { schema: reference('schemas', 'Error') },
    ...shapedContent,
  },
})

const statusesOfCodes = (codes: readonly ErrorCode[]): readonly number[] => [
  ...new Set(codes.map((code) => errorCatalogue[code].status)),
]

/** Returns the statuses of the codes that the description of a problem response names. */
export const statusesOf = ({ description = '' }: Json): readonly number[] =>
  [...String(description).matchAll(/`(\d{4})`/g)].map(
    ([, code]) => errorCatalogue[code as ErrorCode].status,
  )

/** The formats that a client selects by `Accept`, without the media types of API versions. */
const shapedContent: Json = Object.fromEntries(
  [...shapedFormats]
    .filter(([type]) => !type.startsWith('application/vnd.'))
    .map(([type, { shape }]) => [
      type,
      { schema: reference('schemas', shape === 'problem' ? 'ProblemDetails' : 'SimpleError') },
    ]),
)
