import { useState } from 'preact/hooks'
import type { Schema } from '../api/document.ts'
import type { Body, Json } from '../api/json.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Value } from '../parts/value.tsx'
import { nameInWords, word } from '../words/words.ts'
import { mergedFields } from './values.ts'

type Choice = 'theirs' | 'yours'

/**
 * Lets the user choose between the stored values and the entered ones, field by field. What only one
 * of both has changed is chosen already; a conflict is not.
 */
export function Merge({
  base,
  theirs,
  yours,
  schema,
  onMerged,
  onClose,
}: {
  readonly base: Body
  readonly theirs: Body
  readonly yours: Body
  readonly schema: Schema
  readonly onMerged: (merged: Body) => void
  readonly onClose: () => void
}) {
  const fields = mergedFields(base, theirs, yours)
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>(() =>
    Object.fromEntries(
      fields
        .filter((field) => !field.isConflict)
        .map((field) => [
          field.name,
          JSON.stringify(field.base) === JSON.stringify(field.theirs) ? 'yours' : 'theirs',
        ]),
    ),
  )
  const isComplete = fields.every(({ name }) => choices[name] !== undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    const chosen = fields.map((field) => [field.name, field[choices[field.name] ?? 'theirs']])
    onMerged({ ...theirs, ...Object.fromEntries(chosen) })
  }
  return (
    <Dialog title={word('mergeTitle')} kind="side" onClose={onClose}>
      <form onSubmit={submit}>
        <p>{word('mergeText')}</p>
        {fields.map((field) => (
          <fieldset key={field.name} class={`field merge ${field.isConflict ? 'conflict' : ''}`}>
            <legend>
              {nameInWords(field.name)}{' '}
              <span class="quiet-text">{word('was', { value: plainText(field.base) })}</span>
            </legend>
            {(['theirs', 'yours'] as const).map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={field.name}
                  checked={choices[field.name] === side}
                  onChange={() => setChoices((made) => ({ ...made, [field.name]: side }))}
                />
                <span>
                  <span class="side">{word(side)}</span>
                  <Value
                    value={field[side]}
                    schema={schema.properties?.[field.name] ?? {}}
                    name={field.name}
                  />
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={!isComplete}>
            {word('saveMerge')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const plainText = (value: Json | undefined): string =>
  value === null || value === undefined || value === ''
    ? word('none')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
