import { pipeline } from 'node:stream/promises'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem, Problem, problem } from '#values/problem.ts'

/** The parts of a form. */
export interface MultipartForm {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** The values of the other parts by name. */
  readonly fields: Readonly<Record<string, string>>
}

// More than any accepted form has, so that the rejection can name the mistake.
const limits = {
  files: 2,
  fields: 4,
  parts: 6,
  fieldNameSize: 100,
  fieldSize: 8192,
  headerPairs: 20,
}

/**
 * Reads a body of multipart/form-data (RFC 7578) into memory. Throws 400/4002 for a malformed one, for
 * fields that are not UTF-8, and for one with many more parts than any form needs; 422/4221 for a
 * repeated field.
 */
export async function readMultipart({
  contentType,
  content,
}: Pick<UploadedBody, 'contentType' | 'content'>): Promise<MultipartForm> {
  // Loaded only for the first form.
  const { Busboy } = await import('@fastify/busboy')
  const files: { readonly name: string; readonly chunks: Buffer[] }[] = []
  const fields = new Map<string, string>()
  const repeated = new Set<string>()
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits })
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      files.push({ name, chunks })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      // The parser reports the same error.
      stream.on('error', () => undefined)
    })
    parser.on('field', (name, value, _isNameCut, isValueCut) => {
      // The parser puts this character in the place of bytes that are not UTF-8, and of a character cut off.
      if (!isValueCut && value.includes('\u{FFFD}')) {
        parser.destroy(problem('4002', 'detail.not_utf8'))
      }
      if (fields.has(name)) repeated.add(name)
      fields.set(name, value)
    })
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => parser.destroy(new Error(event)))
    }
    await pipeline(content, parser)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw problem('4002', 'detail.malformed_form')
  }
  const [field] = repeated
  if (field !== undefined) throw onlyOnce(field)
  return {
    files: files.map(({ name, chunks }) => ({ name, bytes: Buffer.concat(chunks) })),
    fields: Object.fromEntries(fields),
  }
}

const onlyOnce = (field: string): Problem =>
  fieldProblem([{ field, message: createMessage('field.max_items', { limit: 1 }) }])

/** Returns the only file of a form, which has this name. Throws 400/4001 or 422/4221 without it. */
export function requireOneFile({ files }: MultipartForm, name: string): Buffer {
  const [file, ...others] = files.filter((each) => each.name === name)
  const other = files.find((each) => each.name !== name)
  if (other) {
    throw fieldProblem([{ field: other.name, message: createMessage('field.unknown') }])
  }
  if (!file) {
    throw fieldProblem([{ field: name, message: createMessage('field.required'), missing: true }])
  }
  if (others.length === 0) return file.bytes
  throw onlyOnce(name)
}
