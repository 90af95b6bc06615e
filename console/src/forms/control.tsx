import { useShop } from '../api/context.ts'
import type { Schema } from '../api/document.ts'
import type { Body, Json } from '../api/json.ts'
import { choicesInWords } from '../format.ts'
import { word } from '../words/words.ts'
import { fromClockTime, toClockTime } from '../zone.ts'

const longText = 500

/** What a control needs of its field. */
interface ControlProps {
  readonly name: string
  readonly schema: Schema
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly attributes: Attributes
}

type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** The control of a simple value, as its schema says. */
export function Control({ schema, value, name, onChange, attributes }: ControlProps) {
  const text = value === null || value === undefined ? '' : String(value)
  const change = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value)
  if (schema.type === 'boolean') {
    return (
      <input
        type="checkbox"
        {...attributes}
        checked={(value ?? defaultOf(schema)) === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (schema.enum) {
    return (
      <select {...attributes} value={text} onChange={change}>
        <option value="">{word('none_chosen')}</option>
        {choicesInWords(name, schema.enum).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  if (schema.type === 'array' || schema.type === 'object') {
    return (
      <LinesControl schema={schema} value={value} attributes={attributes} onChange={onChange} />
    )
  }
  if (schema.format === 'date-time') {
    return (
      <input
        type="datetime-local"
        step="1"
        {...attributes}
        value={toLocalTime(text)}
        onChange={(event) => onChange(fromLocalTime(event.currentTarget.value))}
      />
    )
  }
  if (schema.format === undefined && (schema.maxLength ?? 0) >= longText) {
    return <textarea rows={5} {...attributes} value={text} onInput={change} />
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return (
      <NumberControl value={text} schema={schema} attributes={attributes} onChange={onChange} />
    )
  }
  if (schema.writeOnly && /password/.test(name)) {
    const kind = name === 'current_password' ? 'current-password' : 'new-password'
    return (
      <input type="password" {...attributes} autocomplete={kind} value={text} onInput={change} />
    )
  }
  return <input type="text" {...attributes} autocomplete="off" value={text} onInput={change} />
}

/** The value that the API gives to a missing field; its schema has it, or its description says so. */
function defaultOf({ default: given, description = '' }: Schema): Json | undefined {
  const [, text] = /Default: `(true|false)`/.exec(description) ?? []
  return given ?? (text === undefined ? undefined : text === 'true')
}

function NumberControl({
  value,
  schema,
  attributes,
  onChange,
}: Omit<ControlProps, 'name' | 'value'> & { readonly value: string }) {
  // What is no number is sent as it is, and the API says what is wrong with it.
  const change = (event: Event) => {
    const text = (event.currentTarget as HTMLInputElement).value
    onChange(text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text)
  }
  return (
    <input
      type="number"
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      step="any"
      {...attributes}
      value={value}
      onInput={change}
    />
  )
}

/** Lists of words and numbers, and pairs: one a line. */
function LinesControl({ schema, value, attributes, onChange }: Omit<ControlProps, 'name'>) {
  const { document } = useShop()
  const isList = schema.type === 'array'
  const isNumber = isList && document.schema(schema.items ?? {}).type === 'integer'
  const text = Array.isArray(value)
    ? value.join('\n')
    : Object.entries((value ?? {}) as Body)
        .map(([name, each]) => `${name}=${String(each)}`)
        .join('\n')
  const change = (event: Event) => {
    const lines = (event.currentTarget as HTMLTextAreaElement).value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (isList) return onChange(isNumber ? lines.map(numberOrText) : lines)
    const pairs = lines.map((line) => [line.replace(/=.*$/, ''), line.replace(/^[^=]*=?/, '')])
    onChange(pairs.length === 0 ? null : Object.fromEntries(pairs))
  }
  return (
    <textarea
      rows={3}
      {...attributes}
      placeholder={word(isList ? 'listHint' : 'pairsHint')}
      value={text}
      onChange={change}
    />
  )
}

const numberOrText = (text: string): Json => (Number.isFinite(Number(text)) ? Number(text) : text)

const toLocalTime = (text: string): string => (text === '' ? '' : toClockTime(new Date(text)))

const fromLocalTime = (text: string): Json =>
  text === '' ? null : fromClockTime(text).toISOString()
