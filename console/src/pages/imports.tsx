import { useState } from 'preact/hooks'
import { useReading, useShop } from '../api/context.ts'
import { linkOf, pageOf } from '../api/links.ts'
import { entriesOf } from '../api/request.ts'
import { formatTime } from '../format.ts'
import { describeError, Problem } from '../parts/notice.tsx'
import { SaveTable } from '../parts/save-table.tsx'
import { Badge } from '../parts/value.tsx'
import { nameInWords, word } from '../words/words.ts'
import { beginImport } from './import/begin.ts'
import { templateOf } from './import/fields.ts'

/** Uploads a file, and lists the latest imports. */
export function Imports() {
  return (
    <article class="imports">
      <header class="head">
        <h1>{word('imports')}</h1>
      </header>
      <div class="columns">
        <Upload />
        <Latest />
      </div>
    </article>
  )
}

function Upload() {
  const { document: api } = useShop()
  const operation = api.operation('POST', '/imports')
  const resource = operation?.query.find(({ name }) => name === 'resource')
  const choices = (resource && api.schema(resource.schema).enum) ?? ['products']
  const [file, setFile] = useState<File>()
  const [chosen, setChosen] = useState(choices[0] ?? '')
  const [isDryRun, setDryRun] = useState(true)
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!file) return
    setProblem('')
    setSending(true)
    try {
      await beginImport({ file, resource: chosen, mapping: {} }, isDryRun)
    } catch (error) {
      setProblem(describeError(error))
      setSending(false)
    }
  }
  return (
    <form class="card" onSubmit={submit}>
      <Problem text={problem} />
      <div class="field">
        <label for="import-resource">{word('importWhat')}</label>
        <select
          id="import-resource"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {nameInWords(each)}
            </option>
          ))}
        </select>
        <div class="template">
          <SaveTable
            href={templateOf(chosen)}
            fileName={`${chosen}-template.csv`}
            text={word('importTemplate')}
          />
          <span class="quiet-text">{word('importTemplateText')}</span>
        </div>
      </div>
      <div class="field">
        <label for="import-file">{word('importFile')}</label>
        <input
          id="import-file"
          type="file"
          required
          accept=".csv,.tsv,.txt,.xlsx,.ndjson,.jsonl,.xml"
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isDryRun}
          onChange={(event) => setDryRun(event.currentTarget.checked)}
        />
        {word('dryRun')}
      </label>
      <footer>
        <button type="submit" class="main" disabled={!file || isSending}>
          {word('startImport')}
        </button>
      </footer>
    </form>
  )
}

function Latest() {
  const { answer } = useReading('/operations?sort=id&order=desc&limit=8')
  const operations = entriesOf(answer?.body)
  return (
    <section class="card">
      <header>
        <h2>{word('latestImports')}</h2>
        {operations.length > 0 && <a href={pageOf('/operations')}>{word('seeAll')}</a>}
      </header>
      {answer && operations.length === 0 && <p class="quiet-text">{word('empty')}</p>}
      <ul class="lines">
        {operations.map((operation) => (
          <li key={String(operation.id)}>
            <a href={pageOf(linkOf(operation, 'self')?.href ?? '')}>
              {nameInWords(String(operation.resource))}
            </a>
            <Badge text={String(operation.status)} />
            <span class="quiet-text grow">{operation.dry_run === true && word('checkedOnly')}</span>
            <span class="quiet-text">{formatTime(String(operation.created_at))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
