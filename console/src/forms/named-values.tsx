import { useState } from 'preact/hooks'
import type { Body, Json } from '../api/json.ts'
import { Icon } from '../parts/icon.tsx'
import { word } from '../words/words.ts'
import { readValue, showValue } from './typed-values.ts'

interface Row {
  readonly name: string
  readonly text: string
}

interface NamedValuesProps {
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
}

/** Values by name, each a row of a name and a value; a value of several lines is a list. */
export function NamedValues({ value, onChange }: NamedValuesProps) {
  const [original] = useState((value ?? {}) as Body)
  const [rows, setRows] = useState<readonly Row[]>(
    Object.entries(original).map(([name, each]) => ({ name, text: showValue(each) })),
  )
  const change = (next: readonly Row[]) => {
    setRows(next)
    const named = next.filter(({ name, text }) => name.trim() !== '' && text.trim() !== '')
    const entries = named.map(({ name, text }) => [name, readValue(text, original[name])])
    onChange(entries.length === 0 ? null : Object.fromEntries(entries))
  }
  const replace = (index: number, part: Partial<Row>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <>
      {rows.map(({ name, text }, index) => (
        <div key={index} class="row pair">
          <input
            type="text"
            aria-label={word('attributeName')}
            placeholder={word('attributeName')}
            autocomplete="off"
            maxLength={50}
            value={name}
            onInput={(event) => replace(index, { name: event.currentTarget.value })}
          />
          <textarea
            rows={Math.max(1, text.split('\n').length)}
            aria-label={word('attributeValue')}
            placeholder={word('attributeValue')}
            value={text}
            onInput={(event) => replace(index, { text: event.currentTarget.value })}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => change(rows.filter((_, at) => at !== index))}
          >
            {word('remove')}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => setRows([...rows, { name: '', text: '' }])}>
        <Icon name="plus" />
        {word('addRow')}
      </button>
    </>
  )
}
