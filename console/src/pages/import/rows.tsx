import type { Body } from '../../api/json.ts'
import { formatNumber } from '../../format.ts'
import { Badge } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { fieldInWords, useFields } from './fields.ts'

/** A value of a row in words: the entries of a list one after the other. */
function textOf(value: unknown): string {
  const text = String(value ?? '')
  if (!/^\[.*\]$/.test(text)) return text
  try {
    return (JSON.parse(text) as readonly unknown[]).join(', ')
  } catch {
    return text
  }
}

const listOf = (value: unknown): readonly Body[] => (value ?? []) as readonly Body[]

/** A table that may be wider than the page. */
function WideTable({
  title,
  children,
}: {
  readonly title: string
  readonly children: preact.ComponentChildren
}) {
  return (
    <section class="card flush">
      <header>
        <h2>{title}</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={title}>
        {children}
      </section>
    </section>
  )
}

/** The first rows of a file as they would become; only the fields that one of them has. */
export function PreviewRows({
  result,
  resource,
}: {
  readonly result: Body
  readonly resource: string
}) {
  const fields = useFields(resource)
  const rows = listOf(result.preview)
  const cellOf = (row: Body, name: string) => textOf(((row.fields ?? {}) as Body)[name])
  const named = new Set(rows.flatMap((row) => Object.keys(row.fields ?? {})))
  const placeOf = (name: string) => (fields.includes(name) ? fields.indexOf(name) : fields.length)
  // In the order of the template, whatever that of the file.
  const names = [...named]
    .filter((name) => rows.some((row) => cellOf(row, name) !== ''))
    .sort((one, other) => placeOf(one) - placeOf(other))
  if (rows.length === 0) return null
  return (
    <WideTable title={word('previewRows')}>
      <table class="preview">
        <thead>
          <tr>
            <th scope="col" class="end">
              {word('row')}
            </th>
            <th scope="col">{nameInWords('outcome')}</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                {fieldInWords(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <td class="end">{formatNumber(Number(row.row))}</td>
              <td>
                <Badge text={String(row.outcome)} />
              </td>
              {names.map((name) => (
                <td key={name} title={cellOf(row, name)}>
                  {cellOf(row, name)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}

/** The keys that several rows of a file have. */
export function RepeatedKeys({ result }: { readonly result: Body }) {
  const keys = listOf(result.repeated_keys)
  if (keys.length === 0) return null
  return (
    <section class="card flush">
      <header>
        <h2>{word('repeatedKeys')}</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{nameInWords('key')}</th>
            <th scope="col">{word('rows')}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ key, count, rows }) => {
            const told = (rows as readonly number[]).map((each) => formatNumber(each)).join(', ')
            return (
              <tr key={String(key)}>
                <td>{String(key)}</td>
                <td>
                  {told} <span class="quiet-text">({formatNumber(Number(count))})</span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** What a file of another system has that was left out. */
export function Warnings({ result }: { readonly result: Body }) {
  const warnings = listOf(result.warnings)
  if (warnings.length === 0) return null
  return (
    <WideTable title={nameInWords('warnings')}>
      <table class="reasons">
        <thead>
          <tr>
            <th scope="col" class="end">
              {word('row')}
            </th>
            <th scope="col">{word('column')}</th>
            <th scope="col">{nameInWords('value')}</th>
            <th scope="col">{word('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {warnings.map(({ row, field, value, message }, index) => (
            <tr key={index}>
              <td class="end">{formatNumber(Number(row))}</td>
              <td>{fieldInWords(String(field))}</td>
              <td class="cut" title={String(value ?? '')}>
                {String(value ?? '')}
              </td>
              <td>{String(message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
