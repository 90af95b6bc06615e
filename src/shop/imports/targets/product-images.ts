import { type TObject, Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import { imagesField } from '../images/image-sources.ts'
import type { ImportTarget, KeyedRow } from './target.ts'

// Without an example, which an import of a template would fetch.
const urls = Type.Array(Type.String({ format: 'uri' }), {
  description: 'The URLs of images, which are fetched and become images of the product.',
})

const withUrls = (body: TObject): TObject => ({
  ...body,
  properties: { ...body.properties, [imagesField]: Type.Optional(nullable(urls)) },
})

const withoutUrls = ({ [imagesField]: _, ...fields }: KeyedRow['fields']): KeyedRow['fields'] =>
  fields

/** Adds the images to the fields of products. They are fetched once the rows are stored. */
export const withImages = (target: ImportTarget): ImportTarget => ({
  ...target,
  body: withUrls(target.body),
  latestBody: withUrls(target.latestBody),
  issuesOf: (fields, shop) => target.issuesOf?.(withoutUrls(fields), shop) ?? [],
  save: (ctx, rows) =>
    target.save(
      ctx,
      rows.map((row) => ({ ...row, fields: withoutUrls(row.fields) })),
    ),
})
