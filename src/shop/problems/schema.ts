import { Type } from 'typebox'
import { ErrorCodeText, ErrorLabel } from '#http/response/problems/schema.ts'
import { errorCatalogue } from '#i18n/error-codes.ts'

/** An error code with its explanation. */
export const ProblemKind = Type.Object({
  error_code: ErrorCodeText,
  status: Type.Integer({ description: 'The HTTP status of the response.', examples: [404] }),
  label: ErrorLabel('The name of the code in the simple error format.'),
  title: Type.String({
    description: 'What happened.',
    examples: ['The resource does not exist.'],
  }),
  explanation: Type.String({
    description: 'What it means.',
    examples: ['The path is known, but no resource has the identifier in it.'],
  }),
  suggestion: Type.String({
    description: 'What to do about it.',
    examples: ['Follow a link from an existing resource.'],
  }),
})

/** All error codes, which are embedded. */
export const ProblemKinds = Type.Object({
  total_items: Type.Integer({
    description: 'The number of error codes.',
    examples: [Object.keys(errorCatalogue).length],
  }),
})
