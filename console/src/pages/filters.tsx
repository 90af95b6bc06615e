import { useEffect, useRef, useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Operation, Parameter, Schema } from '../api/document.ts'
import { notFilters } from '../api/parameters.ts'
import { choicesInWords } from '../format.ts'
import { open, type Place } from '../router.ts'
import { nameInWords, word } from '../words/words.ts'
import { dayOf, startOf } from '../zone.ts'

const isDate = ({ name }: Parameter): boolean => /_(?:since|before)$|^since$/.test(name)
const pauseMs = 300
const shownFilters = 4

/** The filters of a collection, as its operation declares them. */
export function Filters({
  place,
  operation,
}: {
  readonly place: Place
  readonly operation: Operation
}) {
  const { document: api } = useShop()
  const parameters = operation.query
    .filter(({ name }) => !notFilters.has(name))
    .map((each) => ({ ...each, schema: api.schema(each.schema) }))
    .filter(({ schema }) => schema.type !== 'object')
  const set = (name: string, value: string) => {
    const query = new URLSearchParams(place.query)
    for (const each of ['cursor', 'page']) query.delete(each)
    if (value === '') query.delete(name)
    else query.set(name, value)
    open(query.size === 0 ? place.path : `${place.path}?${query}`, { isReplacement: true })
  }
  const filter = (each: Parameter) => (
    <Filter key={each.name} {...each} value={place.query.get(each.name) ?? ''} onChange={set} />
  )
  // What is searched most comes first, dates after it, and last what names one entry.
  const rank = (each: Parameter) => {
    if (isDate(each)) return 10
    if (['external_id', 'number'].includes(each.name)) return 11
    return ['q', 'status', 'category', 'availability'].indexOf(each.name) + 1 || 9
  }
  const ranked = parameters.toSorted((one, other) => rank(one) - rank(other))
  const [shown, folded] = [ranked.slice(0, shownFilters), ranked.slice(shownFilters)]
  if (parameters.length === 0) return null
  const isFolded = !folded.some(({ name }) => place.query.has(name))
  return (
    <form class="filters" aria-label={word('filters')} onSubmit={(e) => e.preventDefault()}>
      {shown.map(filter)}
      {folded.length > 0 && (
        <details class="menu" open={!isFolded}>
          <summary>{word('moreFilters')}</summary>
          <div class="sheet">{folded.map(filter)}</div>
        </details>
      )}
      {place.query.size > 0 && (
        <button type="button" class="quiet" onClick={() => open(place.path)}>
          {word('clear')}
        </button>
      )}
    </form>
  )
}

/** The values that a parameter may have, with their words; undefined if it may have others. */
function choicesOf(name: string, schema: Schema, items: Schema) {
  if (schema.type === 'boolean')
    return [['true', word('yes')] as const, ['false', word('no')] as const]
  const values = schema.enum ?? (schema.type === 'array' ? items.enum : undefined)
  return values && choicesInWords(name, values)
}

function Filter({
  name,
  schema,
  value,
  onChange,
}: Parameter & {
  readonly value: string
  readonly onChange: (name: string, value: string) => void
}) {
  const { document: api } = useShop()
  const choices = choicesOf(name, schema, api.schema(schema.items ?? {}))
  const id = `filter-${name}`
  if (choices) {
    return (
      <label class="filter" for={id}>
        <span>{nameInWords(name)}</span>
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        >
          <option value="">{word('any')}</option>
          {choices.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
          {value !== '' && !choices.some(([each]) => each === value) && (
            <option value={value}>{value}</option>
          )}
        </select>
      </label>
    )
  }
  if (isDate({ name, schema })) {
    return (
      <label class="filter" for={id}>
        <span>{nameInWords(name)}</span>
        <input
          id={id}
          type="date"
          value={Number.isNaN(Date.parse(value)) ? '' : dayOf(new Date(value))}
          onChange={({ currentTarget: { value: day } }) =>
            onChange(name, day === '' ? '' : startOf(day).toISOString())
          }
        />
      </label>
    )
  }
  return <TextFilter {...{ id, name, schema, value, onChange }} />
}

/** Filters a moment after the last key. */
function TextFilter({
  id,
  name,
  schema,
  value,
  onChange,
}: Parameter & {
  readonly id: string
  readonly value: string
  readonly onChange: (name: string, value: string) => void
}) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (entered: string) => {
    setText(entered)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(name, entered), pauseMs)
  }
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  return (
    <label class={`filter ${name === 'q' ? 'wide' : ''}`} for={id}>
      <span>{nameInWords(name)}</span>
      <input
        id={id}
        type="search"
        inputMode={isNumber ? 'decimal' : 'search'}
        size={8}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  )
}
