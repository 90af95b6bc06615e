import { useId } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Schema } from '../api/document.ts'
import type { Body, Json } from '../api/json.ts'
import type { FieldProblem } from '../api/request.ts'
import { Html } from '../parts/html.tsx'
import { Icon } from '../parts/icon.tsx'
import { language, nameInWords, word } from '../words/words.ts'
import { Control } from './control.tsx'
import { NamedValues } from './named-values.tsx'

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
  const { name } = props
  const schema = document.schema(props.schema)
  if (schema.type === 'object' && schema.properties && Object.keys(schema.properties).length > 0) {
    return <ObjectField {...props} schema={schema} />
  }
  if (name === 'attributes') return <NamedValuesField {...props} />
  if (schema.type === 'array') {
    const items = document.schema(schema.items ?? {})
    if (items.type === 'object') return <RowsField {...props} schema={schema} />
    if (items.enum) return <ChoicesField {...props} schema={items} />
  }
  return <SimpleField {...props} schema={schema} />
}

/** The description of a field, in its language, without the default of a missing list. */
const helpOf = ({ description }: Schema): string | undefined =>
  language() === 'en'
    ? description?.replace(/ ?Default: `\[\]`\./, '').replaceAll('`', '')
    : undefined

function SimpleField(props: FieldProps) {
  const { name, schema, value, isRequired } = props
  const id = useId()
  const problem = problemOf(props)
  const isCheckbox = schema.type === 'boolean'
  const help = helpOf(schema)
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
      {name === 'description_html' && typeof value === 'string' && <Html html={value} />}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

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

function NamedValuesField(props: FieldProps) {
  const { name, value, problems, path, onChange } = props
  const issues = problems.filter(({ field }) => normalize(field).startsWith(path))
  return (
    <fieldset class="field group">
      <legend>{nameInWords(name)}</legend>
      {issues.map(({ field, message }) => (
        <p key={field} class="problem">
          {`${normalize(field).slice(path.length + 1)} ${message}`.trim()}
        </p>
      ))}
      <NamedValues value={value} onChange={onChange} />
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
