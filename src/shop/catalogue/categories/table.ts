import { Type } from 'typebox'
import { Id, nullable } from '#schema/words.ts'
import { Handle } from '#shop/catalogue/handles/rules.ts'
import { type ColumnsOf, columnDefault, type Row } from '#store/columns.ts'
import { entity } from '#store/entity.ts'
import { condition, keyed, matching, sortable, withDefault } from '#store/entity-fields.ts'
import { textKey } from '#values/text-key.ts'

/** The maximum number of categories from the root down to one, with both. */
export const maxDepth = 10

/** The name of a category. */
const CategoryName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name, which its products have; unique, however it is written.',
  examples: ['kitchen', 'kettles'],
})

/** The categories of products, as a tree. Products have the name of theirs. */
export const categories = entity('categories', {
  name: 'category',
  description: 'A category of products.',
  fields: {
    name: sortable(keyed(CategoryName, textKey)),
    handle: nullable(
      Handle(
        'Names the category in addresses; unique. Null or left out, it stays; a new category has one made from its name.',
        'kitchen',
      ),
    ),
    parent_id: nullable(
      Id(`The category above; null at the root. A path has ${maxDepth} at most.`),
    ),
    position: sortable(
      withDefault(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'Its place among its siblings.',
          examples: [0],
        }),
        0,
      ),
    ),
    description: withDefault(
      Type.String({ maxLength: 5_000, description: 'What it has, for shoppers.', examples: [''] }),
      '',
    ),
  },
  derived: {
    path: Type.Array(Type.String(), {
      entry: 'name',
      description: 'The names from the root down to it.',
      examples: [['home', 'kitchen']],
    }),
    product_count: Type.Integer({
      description: 'The number of active products in it and below.',
      examples: [12],
    }),
  },
  columns: {
    /** True for one that products name and nobody has written: the public sees it while it has products. */
    implied: columnDefault(Type.Boolean(), 0),
  },
  deletes: true,
  unique: ['name_key', 'handle'],
  indexes: [
    'name',
    'name_sort, id',
    'position, id',
    'updated_at',
    // Counts those that the public sees.
    'implied, name, id',
    'parent_id where parent_id is not null',
  ],
  filters: {
    parent_id: Type.Optional(Id('Only those right below this one.')),
    is_root: Type.Optional(
      matching(
        Type.Boolean({ description: 'Only those at the root, or with `false` only others.' }),
        (isRoot) => (isRoot ? condition`parent_id is null` : condition`parent_id is not null`),
      ),
    ),
    handle: Type.Optional(Type.String({ description: 'Only the category with this handle.' })),
  },
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    categories: ColumnsOf<(typeof categories)['schemas']>
  }
}

/** A stored category. */
export type StoredCategory = Row<(typeof categories)['schemas']>
