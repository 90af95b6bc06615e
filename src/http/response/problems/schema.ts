import { type TObject, Type } from 'typebox'
import { type ErrorCode, errorCatalogue } from '#i18n/error-codes.ts'
import { defaultLanguage, languages } from '#i18n/languages.ts'
import { createMessage } from '#i18n/message.ts'
import { DateTime, stringEnum } from '#schema/words.ts'
import { fieldProblem, maxIssues, type Problem, problem } from '#values/problem.ts'
import { type ErrorShape, simpleBody, standardBody } from './body.ts'

const FieldError = Type.Object(
  {
    field: Type.String({
      description: 'The path of the field, or the name of the parameter.',
      examples: ['items[0].quantity'],
    }),
    message: Type.String({ description: 'The error.', examples: ['is required'] }),
  },
  { component: 'FieldError' },
)

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]

/** The schema of an error code. */
export const ErrorCodeText = stringEnum(codes, {
  component: 'ErrorCode',
  description: 'The HTTP status and a digit.',
  examples: ['4041'],
})
/** The schema of the name of an error code. */
export const ErrorLabel = (description: string) =>
  stringEnum(
    Object.values(errorCatalogue).map(({ label }) => label),
    {
      component: { name: 'ErrorLabel', description: 'The name of an error code.' },
      description,
      examples: ['no_such_resource'],
    },
  )
const title = Type.String({
  description: 'The kind of error; the same for every error with this code.',
  examples: ['The resource does not exist.'],
})
const detail = Type.String({
  description: 'The cause of this error.',
  examples: ['No product has this identifier.'],
})
const path = Type.String({ description: 'The path of the request.', examples: ['/products/42'] })
const timestamp = DateTime({ description: 'When the request arrived.' })
const requestId = Type.String({
  description: 'Identifies the request in the logs; the X-Request-Id of the response.',
  examples: ['b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e'],
})
const suggestion = Type.String({
  description: 'How to fix it.',
  examples: ['Follow a link from an existing resource.'],
})
const errors = Type.Optional(
  Type.Array(FieldError, {
    maxItems: maxIssues,
    description: 'The invalid fields or parameters.',
  }),
)

const StandardError = Type.Object(
  {
    error_code: ErrorCodeText,
    message: title,
    details: detail,
    timestamp,
    request_id: requestId,
    path,
    suggestion,
    errors,
  },
  { description: 'An error.' },
)

/** The schema of an RFC 9457 problem. */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({
      description: 'The documentation of the code.',
      format: 'uri-reference',
      examples: ['http://localhost:3000/problems/4041'],
    }),
    title,
    status: Type.Integer({ description: 'The HTTP status.', examples: [404] }),
    detail,
    instance: path,
    error_code: ErrorCodeText,
    timestamp,
    request_id: requestId,
    suggestion,
    errors,
  },
  { description: 'An error (RFC 9457).' },
)

const SimpleError = Type.Object(
  {
    error: ErrorLabel('The kind of error.'),
    details: Type.Array(FieldError, {
      description: 'The invalid fields; one entry with an empty field for any other error.',
    }),
  },
  { description: 'An error in the simple shape.' },
)

/** Returns the schema of error bodies of a shape. */
export const errorSchema = (shape: ErrorShape): TObject =>
  shape === 'simple' ? SimpleError : StandardError

/** Returns an example of an error body, in English. */
export function errorExample(code: ErrorCode, shape: ErrorShape): unknown {
  const errorContext = {
    path: '/products/42',
    requestId: 'b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e',
    now: Date.UTC(2026, 0, 31, 12),
  }
  const texts = languages[defaultLanguage]
  const example = exampleOf(code)
  return shape === 'simple'
    ? simpleBody(example, texts)
    : standardBody(example, errorContext, texts)
}

function exampleOf(code: ErrorCode): Problem {
  switch (code) {
    case '4001':
      return fieldProblem([
        { field: 'name', message: createMessage('field.required'), missing: true },
      ])
    case '4003':
      return fieldProblem(
        [{ field: 'limit', message: createMessage('field.maximum', { limit: 100 }) }],
        code,
      )
    case '4221':
      return fieldProblem([{ field: 'price', message: createMessage('field.number') }])
    default:
      return problem(code, `title.${code}`)
  }
}
