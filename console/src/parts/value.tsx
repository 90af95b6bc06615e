import { useShop } from '../api/context.ts'
import type { ApiDocument, ResolvedSchema, Schema } from '../api/document.ts'
import type { Body, Json } from '../api/json.ts'
import { pageOf } from '../api/links.ts'
import {
  formatCountry,
  formatMoney,
  formatNumber,
  formatPercent,
  formatTime,
  isCountry,
} from '../format.ts'
import { nameInWords, word } from '../words/words.ts'
import { Html } from './html.tsx'

const tones: Readonly<Record<string, string>> = {
  paid: 'info',
  shipped: 'info',
  in_transit: 'info',
  running: 'info',
  delivered: 'good',
  succeeded: 'good',
  active: 'good',
  in_stock: 'good',
  published: 'good',
  pending: 'warn',
  queued: 'warn',
  draft: 'warn',
  preorder: 'warn',
  backorder: 'warn',
  action_required: 'warn',
  failed: 'bad',
  out_of_stock: 'bad',
  suspended: 'bad',
  gone: 'bad',
}

/** The collections that IDs in fields of other resources are of. */
const collections: Readonly<Record<string, string>> = {
  user_id: '/users',
  actor_id: '/users',
  subject_id: '/users',
  product_id: '/products',
  variant_of: '/products',
  order_id: '/orders',
  parent_id: '/categories',
  webhook_id: '/webhooks',
}

/** A path in words: `/orders/7` is "Order #7". */
export function subjectInWords(path: string): string {
  const [collection = '', id = ''] = path.split('/').slice(-2)
  return `${nameInWords(collection.replace(/s$/, ''))} #${id}`
}

/** A word of an enumeration, coloured by what it means. */
export function Badge({ text }: { readonly text: string }) {
  return <span class={`badge ${tones[text] ?? ''}`}>{nameInWords(text)}</span>
}

/** True if values of this schema stand at the end of a column. */
export const isNumeric = (schema: Schema, name: string): boolean =>
  (schema.type === 'number' || schema.type === 'integer') && !/^(?:.*_)?id$/.test(name)

/** The schema, or the one of its alternatives that a value has the type of. */
function selectSchema(document: ApiDocument, given: Schema, value: unknown): ResolvedSchema {
  const schema = document.schema(given)
  return schema.anyOf?.find(({ type }) => type === typeof value) ?? schema
}

/** A value of the API as its schema says. */
export function Value({
  value,
  schema: given,
  name,
  of,
  isLinked = true,
}: {
  readonly value: Json | undefined
  readonly schema: Schema
  readonly name: string
  /** The object that the value belongs to. */
  readonly of?: Body
  /** Whether IDs lead to their pages; true by default. */
  readonly isLinked?: boolean
}) {
  const { document } = useShop()
  const schema = selectSchema(document, given, value)
  if (value === null || value === undefined || value === '') {
    return <span class="none">{word('none')}</span>
  }
  if (typeof value === 'boolean') return <>{value ? word('yes') : word('no')}</>
  if (typeof value === 'number') {
    if (schema.isMoney && !/rate|percent/.test(name)) {
      return <>{formatMoney(value)}</>
    }
    const collection = collections[name]
    if (collection && isLinked) return <a href={pageOf(`${collection}/${value}`)}>#{value}</a>
    return <>{/^(?:.*_)?id$/.test(name) ? value : formatNumber(value)}</>
  }
  if (name === 'rate' || (name === 'value' && of?.kind === 'percent')) {
    return <>{formatPercent(Number(value))}</>
  }
  if (name === 'subject' && isLinked && document.operation('GET', String(value))) {
    return <a href={pageOf(String(value))}>{subjectInWords(String(value))}</a>
  }
  if (name === 'description_html') return <Html html={String(value)} />
  if (typeof value === 'string' && isCountry(name)) return <>{formatCountry(value)}</>
  if (typeof value === 'string') return <TextValue value={value} schema={schema} />
  if (name === 'path' && Array.isArray(value)) return <>{value.join(' › ')}</>
  if (Array.isArray(value)) return <ListValue value={value} schema={schema} name={name} />
  return <ObjectValue value={value as Body} schema={schema} />
}

function TextValue({ value, schema }: { readonly value: string; readonly schema: Schema }) {
  if (schema.enum) return <Badge text={value} />
  if (schema.format === 'date-time') return <time dateTime={value}>{formatTime(value)}</time>
  if (schema.format === 'uri') {
    return (
      <a href={value} target="_blank" rel="noreferrer">
        {value}
      </a>
    )
  }
  return <>{value}</>
}

function ListValue({
  value,
  schema,
  name,
}: {
  readonly value: readonly Json[]
  readonly schema: Schema
  readonly name: string
}) {
  const items = schema.items ?? {}
  if (value.length === 0) return <span class="none">{word('none')}</span>
  const isPlain = value.every((each) => typeof each !== 'object')
  return isPlain ? (
    <span class="tags">
      {value.map((each) => (
        <span key={String(each)} class="tag">
          {isCountry(name) ? formatCountry(String(each)) : String(each)}
        </span>
      ))}
    </span>
  ) : (
    <ul class="objects">
      {value.map((each, index) => (
        <li key={index}>
          <Value value={each} schema={items} name={name} />
        </li>
      ))}
    </ul>
  )
}

function ObjectValue({ value, schema }: { readonly value: Body; readonly schema: Schema }) {
  const { average, count } = value
  if (average === null) return <span class="none">{word('none')}</span>
  if (typeof average === 'number' && typeof count === 'number') {
    return (
      <>
        {formatNumber(average)} <span class="quiet-text">({count})</span>
      </>
    )
  }
  const fields = Object.entries(value).filter(
    ([name, each]) => name !== '_links' && name !== 'links' && each !== null && each !== '',
  )
  if (fields.length === 0) return <span class="none">{word('none')}</span>
  const fallback =
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
  return (
    <dl class="inline">
      {fields.map(([name, each]) => (
        <div key={name}>
          <dt>{nameInWords(name)}</dt>
          <dd>
            <Value
              value={each}
              schema={schema.properties?.[name] ?? fallback}
              name={name}
              of={value}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
