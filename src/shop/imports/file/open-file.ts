import { type FileForm, openFileForm } from '#http/codec/multipart-file.ts'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import { csvType, ndjsonType, tsvType, xlsxType, xmlType } from '#http/message/media-type.ts'
import { createMessage } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'

/** The media types of files. */
export const fileTypes = [csvType, tsvType, ndjsonType, xlsxType, xmlType] as const
/** The media type of a form that has a file, and what its columns are. */
export const formType = 'multipart/form-data'

/** The media types by the ends of names, for clients that know no media type of a file. */
const typesByEnd: Readonly<Record<string, string>> = {
  ...{ ndjson: ndjsonType, jsonl: ndjsonType, tsv: tsvType, xlsx: xlsxType, xml: xmlType },
}

/** Opens a file: the body, or the part `file` of a form. Throws as `openFileForm`, and 422/4221 for an unknown part. */
export async function openFile(body: UploadedBody): Promise<Omit<FileForm, 'fileName'>> {
  if (body.mediaType !== formType) return { ...body, fields: new Map() }
  const { mediaType, fileName, content, fields } = await openFileForm(body)
  const known = fileTypes.find((type) => type === mediaType)
  const end = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return { mediaType: known ?? typesByEnd[end] ?? csvType, content: whole(content, fields), fields }
}

async function* whole(
  content: FileForm['content'],
  fields: FileForm['fields'],
): AsyncGenerator<Buffer> {
  yield* content
  const other = fields.keys().find((name) => name !== 'mapping')
  if (other === undefined) return
  throw fieldProblem([{ field: other, message: createMessage('field.unknown') }])
}
