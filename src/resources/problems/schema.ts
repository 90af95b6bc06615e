import { Type } from 'typebox'
import { oneOf } from '#http/declare/schema.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'

const codes = Object.keys(catalogue) as readonly ErrorCode[]
const labels = Object.values(catalogue).map(({ label }) => label)

/** A way in which a request may fail. */
export const ProblemKind = Type.Object({
  error_code: oneOf(codes, { description: 'The HTTP status and one digit.', examples: ['4041'] }),
  status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [404] }),
  label: oneOf(labels, { description: 'What the simple shape of errors calls it.' }),
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

/** All of them; they come embedded. */
export const ProblemKinds = Type.Object({
  total_items: Type.Integer({ description: 'How many there are.', examples: [codes.length] }),
})
