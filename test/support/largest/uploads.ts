import { maxJsonDepth } from '#http/codec/json-bounds.ts'
import type { Route } from '#http/declare/route.ts'
import { ndjsonType } from '#http/message/media-type.ts'
import { validUpload } from '#test/contract/setup/valid-requests.ts'
import { formType, makeForm } from '#test/support/images/uploads.ts'

/** A body that is read as it arrives, and what is large in it. */
interface NamedUpload {
  readonly name: string
  readonly query: string
  readonly type: string
  readonly payload: string | Buffer
}

/** A file may have a gigabyte; what takes long in it takes as long in a part of it. */
const maxBytes = 11_000_000

/** Returns the largest bodies of a route that takes uploads, by the media types that it accepts. */
export function largestUploads(route: Route): readonly NamedUpload[] {
  const { query, type, payload } = validUpload(route)
  const limit = Math.min(maxBytes, route.upload?.limitBytes ?? 0)
  const bytes = Buffer.from(payload)
  const types = Object.keys(route.upload?.mediaTypes ?? {})
  const filled = (start: string | Buffer, unit: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from(start), Buffer.alloc(limit - start.length, unit)])
  const uploads: readonly NamedUpload[] = types.flatMap((each) =>
    Object.entries(contentsOf(each, bytes, filled)).map(([name, content]) => ({
      name: `${name}, ${each}`,
      query,
      type: each === formType['content-type'].split(';', 1)[0] ? formType['content-type'] : each,
      payload: content,
    })),
  )
  return [{ name: `a valid one, ${type}`, query, type, payload }, ...uploads]
}

type Fill = (start: string | Buffer, unit: string | Buffer) => Buffer

function contentsOf(
  type: string,
  valid: Buffer,
  filled: Fill,
): Readonly<Record<string, string | Buffer>> {
  switch (type) {
    case 'multipart/form-data':
      return {
        'the largest file': makeForm([
          { name: 'image', filename: 'a.png', content: filled(valid, '\0').subarray(0, -1000) },
        ]),
        'many fields': makeForm(
          Array.from({ length: 50_000 }, (_, at) => ({ name: `f${at}`, content: '' })),
        ),
        'a long field': makeForm([{ name: 'alt', content: filled('', '🫖').subarray(0, -1000) }]),
        'only line breaks': filled('', '\r\n'),
        'boundaries that begin': filled('', '\r\n--boundary-of-the-tes'),
      }
    case 'text/csv':
      return {
        'a long line': filled('sku,stock\r\n', 'a'),
        'an open quote': filled('sku,stock\r\n"', '""'),
        'many columns': filled('', 'a,'),
        'many rows': filled('sku,stock\r\n', 'a,1\r\n'),
        'empty rows': filled('sku,stock\r\n', '\n'),
      }
    case ndjsonType:
      return {
        'a long line': filled('{"sku":"', 'a'),
        'deep lines': filled('', `${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}\n`),
        'many rows': filled('', '{"sku":"a","stock":1}\n'),
        'many fields': filled('{', '"a":1,'),
      }
    default:
      return { 'the largest file': filled(valid, '\0') }
  }
}
