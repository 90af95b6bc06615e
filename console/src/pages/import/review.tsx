import { useState } from 'preact/hooks'
import type { Body } from '../../api/json.ts'
import { pageOf } from '../../api/links.ts'
import { formatNumber } from '../../format.ts'
import { describeError, Problem } from '../../parts/notice.tsx'
import { word } from '../../words/words.ts'
import { beginImport, chosenFor, type Mapping, mappingOf } from './begin.ts'
import { choicesFor, fieldInWords, useFields } from './fields.ts'

/** The import of a file that was checked: what its columns are, which can be changed, and the button that begins it. */
export function Review({ href, operation }: { readonly href: string; readonly operation: Body }) {
  const chosen = chosenFor(href)
  const [changed, setChanged] = useState<Mapping>({})
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const begin = async (isDryRun: boolean) => {
    if (!chosen) return
    setProblem('')
    setSending(true)
    try {
      await beginImport({ ...chosen, mapping: { ...chosen.mapping, ...changed } }, isDryRun)
    } catch (error) {
      setProblem(describeError(error))
      setSending(false)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void begin(false)
  }
  const hasChanged = Object.keys(changed).length > 0
  return (
    <form class="card flush review" onSubmit={submit}>
      <Columns
        operation={operation}
        changed={changed}
        onChange={chosen && ((column, field) => setChanged({ ...changed, [column]: field }))}
      />
      <footer>
        <Problem text={problem} />
        <p class="quiet-text">{word(chosen ? 'nothingWritten' : 'chooseAgain')}</p>
        {chosen ? (
          <div class="actions">
            <button type="submit" class="main" disabled={isSending}>
              {word('importNow')}
            </button>
            <button
              type="button"
              disabled={isSending || !hasChanged}
              onClick={() => void begin(true)}
            >
              {word('checkAgain')}
            </button>
          </div>
        ) : (
          <a href={pageOf('/imports')}>{word('imports')}</a>
        )}
      </footer>
    </form>
  )
}

/** The columns of a file and the field that each becomes; it can be changed with `onChange`. */
function Columns({
  operation,
  changed,
  onChange,
}: {
  readonly operation: Body
  readonly changed: Mapping
  readonly onChange: ((column: string, field: string | null) => void) | undefined
}) {
  const fields = useFields(String(operation.resource))
  const result = (operation.result ?? {}) as Body
  const mapping = Object.entries(mappingOf(result.mapping))
  const ignored = new Map(
    ((result.ignored_columns ?? []) as readonly Body[]).map(({ name, values }) => [name, values]),
  )
  if (mapping.length === 0) return null
  return (
    <>
      <header>
        <h2>{word('columnsOfFile')}</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{word('column')}</th>
            <th scope="col">{word('becomes')}</th>
          </tr>
        </thead>
        <tbody>
          {mapping.map(([column, found]) => {
            const field = column in changed ? (changed[column] ?? null) : found
            const values = Number(ignored.get(column) ?? 0)
            return (
              <tr key={column} class={field === null ? 'left-out' : ''}>
                <td>
                  <code>{column}</code>
                  {field === null && values > 0 && (
                    <span class="quiet-text">
                      {' '}
                      {word('values', { count: formatNumber(values) })}
                    </span>
                  )}
                </td>
                <td>
                  <FieldChoice {...{ column, field, fields, onChange }} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}

function FieldChoice({
  column,
  field,
  fields,
  onChange,
}: {
  readonly column: string
  readonly field: string | null
  readonly fields: readonly string[]
  readonly onChange: ((column: string, field: string | null) => void) | undefined
}) {
  if (!onChange) return <>{field === null ? word('leaveOut') : fieldInWords(field)}</>
  return (
    <select
      aria-label={`${word('becomes')}: ${column}`}
      value={field ?? ''}
      onChange={(event) => onChange(column, event.currentTarget.value || null)}
    >
      <option value="">{word('leaveOut')}</option>
      {choicesFor(column, fields, field).map((each) => (
        <option key={each} value={each}>
          {fieldInWords(each)}
        </option>
      ))}
    </select>
  )
}
