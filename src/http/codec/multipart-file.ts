import { pipeline } from 'node:stream/promises'
import type { BusboyFileStream } from '@fastify/busboy'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem, Problem, problem } from '#values/problem.ts'

/** A form with one file that is read as it arrives. */
export interface FileForm {
  readonly mediaType: string
  readonly fileName: string
  /** The file, to be read to its end. Throws 400/4002 for a malformed form, and as the body does. */
  readonly content: AsyncIterable<Buffer>
  /** The values of the other parts by name, once the file was read. */
  readonly fields: ReadonlyMap<string, string>
}

const limits = {
  files: 1,
  fields: 2,
  parts: 4,
  fieldNameSize: 100,
  fieldSize: 131_072,
  headerPairs: 20,
}

type OpenFile = Omit<FileForm, 'content' | 'fields'> & {
  readonly name: string
  readonly stream: BusboyFileStream
}

/**
 * Opens a body of multipart/form-data (RFC 7578) whose part `file` is read as it arrives. Throws 400/4001 or 422/4221
 * without that part.
 */
export async function openFileForm({
  contentType,
  content,
}: Pick<UploadedBody, 'contentType' | 'content'>): Promise<FileForm> {
  // Loaded only for the first form.
  const { Busboy } = await import('@fastify/busboy')
  const fields = new Map<string, string>()
  const { promise: opened, resolve } = Promise.withResolvers<OpenFile | undefined>()
  const parser = parserOf(() => new Busboy({ headers: { 'content-type': contentType }, limits }))
  parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
    // The parser reports the same error.
    stream.on('error', () => undefined)
    resolve({ name, stream, fileName: fileName ?? '', mediaType: mediaType.toLowerCase() })
  })
  parser.on('field', (name, value, _isNameCut, isValueCut) => {
    if (isValueCut || fields.has(name)) parser.destroy(new Error('field'))
    fields.set(name, value)
  })
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => parser.destroy(new Error(event)))
  }
  const read = pipeline(content, parser).catch((error: unknown) => {
    throw error instanceof Problem ? error : malformed()
  })
  const file = await Promise.race([opened, read.then(() => undefined)])
  if (file?.name === 'file') return { ...file, fields, content: contentOf(file.stream, read) }
  read.catch(() => undefined)
  parser.destroy()
  const [name, key] = file
    ? [file.name, 'field.unknown' as const]
    : ['file', 'field.required' as const]
  throw fieldProblem([{ field: name, message: createMessage(key), missing: !file }])
}

const malformed = (): Problem => problem('4002', 'detail.malformed_form')

function parserOf<Parser>(create: () => Parser): Parser {
  try {
    return create()
  } catch {
    throw malformed()
  }
}

async function* contentOf(stream: BusboyFileStream, read: Promise<void>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } catch {
    // What reads the form knows why.
    await read
    throw malformed()
  }
  await read
}
