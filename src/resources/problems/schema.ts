import { oneOf } from '#http/declare/schema.ts'
import { Type } from '#http/declare/type.ts'
import { ErrorCodeText } from '#http/response/problems/schema.ts'
import { catalogue } from '#values/error-codes.ts'

const labels = Object.values(catalogue).map(({ label }) => label)

/** A way in which a request may fail. */
export const ProblemKind = Type.Object({
  error_code: ErrorCodeText,
  status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [404] }),
  label: oneOf(labels, { description: 'What the simple shape of errors calls it.' }),
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

/** All of them; they come embedded. */
export const ProblemKinds = Type.Object({
  total_items: Type.Integer({ description: 'How many there are.', examples: [labels.length] }),
})
