import type { FastifyRequest } from 'fastify'
import { errorSchema } from './error-schema.ts'
import { json, negotiate, type Representation } from './media-type.ts'
import { compileXmlWriter } from './xml/write.ts'

const standard = compileXmlWriter(errorSchema('standard'), 'error')
const simple = compileXmlWriter(errorSchema('simple'), 'error')

/** Writes an error body, of either shape, as an XML document. */
export const writeErrorXml = (body: object): string =>
  'error_code' in body ? standard(body) : simple(body)

/** The form of an error: what the request accepts, and JSON where that is nothing known. */
export function errorForm({ headers }: FastifyRequest): Representation {
  const { accept } = headers
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return json
  return negotiate(accept) ?? json
}
