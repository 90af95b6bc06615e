import type { Json } from '#http/codec/wire-schema.ts'
import type { OpenApiFragment } from '#http/pipeline/step.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import { shapedFormats } from '#http/response/problems/format.ts'
import { errorExample } from '#http/response/problems/schema.ts'
import { english } from '#i18n/en.ts'
import { type ErrorCode, errorCatalogue } from '#values/error-codes.ts'
import { type Components, headersOf, reference } from './components.ts'
import { type Schemas, toPascalCase } from './schemas.ts'

/** What the operations of a document share. */
export interface DocumentContext {
  readonly components: Components
  readonly schemas: Schemas
  readonly errorShape: ErrorShape
  /** The names of the security schemes of users. */
  readonly schemes: readonly string[]
}

/** Returns the distinct values that `pick` finds in the fragments. */
export const collect = <T>(
  fragments: readonly OpenApiFragment[],
  pick: (fragment: OpenApiFragment) => readonly T[] | undefined,
): T[] => [...new Set(fragments.flatMap((fragment) => pick(fragment) ?? []))]

/** The component names of common sets of codes; another set is named by the labels of its codes. */
const commonNames: Readonly<Record<string, string>> = {
  '4003 4004': 'BadQuery',
  '4001 4003 4004': 'BadParameter',
  '4002 4003 4004': 'BadQueryOrBody',
  '4001 4002 4003 4004': 'BadRequest',
  '4011 4012 4013': 'Unauthorized',
  '4031 4032 4033': 'Forbidden',
  '4041': 'NotFound',
  '4091': 'Conflict',
  '4151 4152': 'UnsupportedBody',
}

const nameProblems = (codes: readonly ErrorCode[]): string =>
  commonNames[codes.join(' ')] ??
  codes.map((code) => toPascalCase(errorCatalogue[code].label)).join('Or')

/** Returns the problem responses, by status. */
export function problemResponses(
  fragments: readonly OpenApiFragment[],
  context: DocumentContext,
): Json {
  const codes = collect(fragments, ({ problems }) => problems).toSorted()
  const groups = Map.groupBy(codes, (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...groups].map(([status, group]) => {
      const create = () => describeProblems(status, group, fragments, context)
      return [status, context.components.once('responses', nameProblems(group), create)]
    }),
  )
}

const describeProblems = (
  status: number,
  codes: readonly ErrorCode[],
  fragments: readonly OpenApiFragment[],
  { components, errorShape }: DocumentContext,
): Json => ({
  description: codes.map((code) => `\`${code}\` ${english[`title.${code}`]}`).join('\n\n'),
  ...headersOf(
    [
      ...collect(fragments, ({ problemHeaders }) => problemHeaders?.[status]),
      ...collect(fragments, ({ everyHeaders }) => everyHeaders),
      'Content-Language',
    ],
    components,
  ),
  content: {
    'application/json': {
      schema: reference('schemas', 'Error'),
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          components.once('examples', code, () => ({
            summary: english[`title.${code}`],
            value: errorExample(code, errorShape),
          })),
        ]),
      ),
    },
    'application/xml': { schema: reference('schemas', 'Error') },
    ...shapedContent,
  },
})

/** The formats that a client selects by `Accept`, without the media types of API versions. */
const shapedContent: Json = Object.fromEntries(
  [...shapedFormats]
    .filter(([type]) => !type.startsWith('application/vnd.'))
    .map(([type, { shape }]) => [
      type,
      { schema: reference('schemas', shape === 'problem' ? 'ProblemDetails' : 'SimpleError') },
    ]),
)
