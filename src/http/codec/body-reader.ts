import { Type } from 'typebox'
import type { Route } from '#http/declare/route.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import { compileCodec } from './codec.ts'
import type { CodecOptions } from './value-codec.ts'

/**
 * Compiles the validation of a route's body, and of a list of bodies where the route creates many; undefined for a
 * route without a body schema. The result throws 400/4001 for a missing field, 422/4221 for an invalid one, 400/4002
 * for a missing body.
 */
export function compileBody(
  { body: schema, convertBody = (body) => body, many }: Route,
  codecOptions: CodecOptions,
): ((body: unknown) => unknown) | undefined {
  if (!schema) return undefined
  const one = compileCodec(schema, codecOptions)
  const list =
    many && compileCodec(Type.Array(schema, { minItems: 1, maxItems: many.limit }), codecOptions)
  const required: readonly string[] = schema.required ?? []
  const isOptional = required.length === 0
  return (body) => {
    if (body === undefined && !isOptional) throw problem('4002', 'detail.empty_body')
    const issues: FieldIssue[] = []
    const { decode } = (Array.isArray(body) && list) || one
    const decoded = decode(body === undefined ? {} : body, '', issues)
    if (issues.length > 0) throw fieldProblem(issues)
    return Array.isArray(decoded) ? decoded.map(convertBody) : convertBody(decoded)
  }
}
