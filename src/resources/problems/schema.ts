import { oneOf } from '#http/declare/schema.ts'
import { Type } from '#http/declare/type.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'

const codes = Object.keys(catalogue) as readonly ErrorCode[]
const labels = Object.values(catalogue).map(({ label }) => label)

/** An error code with its explanation. */
export const ProblemKind = Type.Object({
  error_code: oneOf(codes, {
    description: 'The HTTP status followed by one digit.',
    examples: ['4041'],
  }),
  status: Type.Integer({ description: 'The HTTP status of the response.', examples: [404] }),
  label: oneOf(labels, { description: 'The name of the code in the simple error format.' }),
  title: Type.String({
    description: 'What happened.',
    examples: ['There is no such resource.'],
  }),
  explanation: Type.String({
    description: 'What it means.',
    examples: ['The path is of a known form, but nothing has the identifier in it.'],
  }),
  suggestion: Type.String({
    description: 'What to do about it.',
    examples: ['Follow a link from a resource that exists.'],
  }),
})

/** All error codes, which are embedded. */
export const ProblemKinds = Type.Object({
  total_items: Type.Integer({
    description: 'The number of error codes.',
    examples: [codes.length],
  }),
})
