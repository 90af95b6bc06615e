import { useId } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Schema } from '../api/document.ts'
import type { Body, Json } from '../api/json.ts'
import type { FieldProblem } from '../api/request.ts'
import { Icon } from '../parts/icon.tsx'
import { language, nameInWords, word } from '../words/words.ts'

/** A field of a form. */
export interface FieldProps {
  readonly name: string
  /** The names from the body to this field, separated by dots. */
  readonly path: string
  readonly schema: Schema
  readonly value: Json | undefined
  readonly isRequired: boolean
  readonly problems: readonly FieldProblem[]
  readonly onChange: (value: Json | undefined) => void
}

const longText = 500

/** The problems of a field itself, without those of its parts. */
const problemOf = ({ problems, path }: FieldProps): string | undefined =>
  problems.find(({ field }) => normalize(field) === path)?.message

/** `items[0].quantity` and `items/0/quantity` as `items.0.quantity`. */
const normalize = (field: string): string =>
  field
    .replace(/\[(\d+)\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^\.|\.$/g, '')

/** A field as its schema says, with its label, its explanation and what is wrong with it. */
export function Field(props: FieldProps) {
  const { document } = useShop()
  const schema = document.schema(props.schema)
  if (schema.type === 'object' && schema.properties && Object.keys(schema.properties).length > 0) {
    return <ObjectField {...props} schema={schema} />
  }
  if (schema.type === 'array') {
    const items = document.schema(schema.items ?? {})
    if (items.type === 'object') return <RowsField {...props} schema={schema} />
    if (items.enum) return <ChoicesField {...props} schema={items} />
  }
  return <SimpleField {...props} schema={schema} />
}

function SimpleField(props: FieldProps) {
  const { name, schema, isRequired } = props
  const id = useId()
  const problem = problemOf(props)
  const isCheckbox = schema.type === 'boolean'
  const help = language() === 'en' ? schema.description : undefined
  const describedBy = [problem && `${id}-problem`, help && `${id}-help`].filter(Boolean).join(' ')
  const attributes = {
    id,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-required': isRequired ? true : undefined,
  }
  return (
    <div class={`field ${isCheckbox ? 'checkbox' : ''}`}>
      <label for={id}>
        {nameInWords(name)}
        {isRequired && (
          <span class="required" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      <Control {...props} attributes={attributes} />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help.replaceAll('`', '')}
        </p>
      )}
    </div>
  )
}

type Attributes = Readonly<Record<string, string | boolean | undefined>>

function Control({
  schema,
  value,
  name,
  onChange,
  attributes,
}: FieldProps & { readonly attributes: Attributes }) {
  const text = value === null || value === undefined ? '' : String(value)
  const change = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value)
  if (schema.type === 'boolean') {
    return (
      <input
        type="checkbox"
        {...attributes}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (schema.enum) {
    return (
      <select {...attributes} value={text} onChange={change}>
        <option value="">{word('none_chosen')}</option>
        {schema.enum.map((each) => (
          <option key={each} value={each}>
            {nameInWords(each)}
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

function NumberControl({
  value,
  schema,
  attributes,
  onChange,
}: Pick<FieldProps, 'schema' | 'onChange'> & {
  readonly value: string
  readonly attributes: Attributes
}) {
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
function LinesControl({
  schema,
  value,
  attributes,
  onChange,
}: Pick<FieldProps, 'schema' | 'value' | 'onChange'> & { readonly attributes: Attributes }) {
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

function toLocalTime(text: string): string {
  if (text === '') return ''
  const time = new Date(text)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

const fromLocalTime = (text: string): Json => (text === '' ? null : new Date(text).toISOString())

function ChoicesField(props: FieldProps) {
  const { name, schema, value, onChange } = props
  const chosen = Array.isArray(value) ? value : []
  const toggle = (each: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, each] : chosen.filter((other) => other !== each))
  const problem = problemOf(props)
  return (
    <fieldset class="field choices">
      <legend>{nameInWords(name)}</legend>
      {schema.enum?.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={(event) => toggle(each, event.currentTarget.checked)}
          />
          {each}
        </label>
      ))}
      {problem !== undefined && <p class="problem">{problem}</p>}
    </fieldset>
  )
}

function ObjectField(props: FieldProps) {
  const { name, path, schema, value, problems, onChange } = props
  const fields = (value ?? {}) as Body
  const problem = problemOf(props)
  return (
    <fieldset class="field group">
      <legend>{nameInWords(name)}</legend>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {Object.entries(schema.properties ?? {}).map(([part, partSchema]) => (
        <Field
          key={part}
          name={part}
          path={`${path}.${part}`}
          schema={partSchema}
          value={fields[part]}
          isRequired={schema.required?.includes(part) === true}
          problems={problems}
          onChange={(changed) => onChange({ ...fields, [part]: changed === '' ? null : changed })}
        />
      ))}
    </fieldset>
  )
}

function RowsField(props: FieldProps) {
  const { name, path, schema, value, onChange } = props
  const rows = Array.isArray(value) ? value : []
  const problem = problemOf(props)
  const replace = (index: number, row: Json | undefined) =>
    onChange(rows.map((each, other) => (other === index ? (row ?? null) : each)))
  return (
    <fieldset class="field group">
      <legend>{nameInWords(name)}</legend>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {rows.map((row, index) => (
        <div key={index} class="row">
          <Field
            {...props}
            name={`${index + 1}`}
            path={`${path}.${index}`}
            schema={schema.items ?? {}}
            value={row}
            onChange={(changed) => replace(index, changed)}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => onChange(rows.filter((_, other) => other !== index))}
          >
            {word('remove')}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...rows, {}])}>
        <Icon name="plus" />
        {word('addRow')}
      </button>
    </fieldset>
  )
}
