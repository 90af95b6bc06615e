import { useEffect, useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linkOf, pathOf } from '../api/links.ts'
import { type Answer, entriesOf, read } from '../api/request.ts'
import { write } from '../api/write.ts'
import { formatNumber } from '../format.ts'
import { Actions } from '../forms/actions.tsx'
import { describeError } from '../parts/notice.tsx'
import { Badge } from '../parts/value.tsx'
import { nameInWords, word } from '../words/words.ts'

const pauseMs = 1_000
const unfinished = new Set(['queued', 'running'])

/** Uploads a file and shows how far its import has come. */
export function Imports() {
  const { document: api } = useShop()
  const operation = api.operation('POST', '/imports')
  const resource = operation?.query.find(({ name }) => name === 'resource')
  const choices = (resource && api.schema(resource.schema).enum) ?? ['products']
  const [file, setFile] = useState<File>()
  const [chosen, setChosen] = useState(choices[0] ?? '')
  const [isDryRun, setDryRun] = useState(true)
  const [started, setStarted] = useState<string>()
  const [problem, setProblem] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!file) return
    setProblem('')
    try {
      const query = new URLSearchParams({
        resource: chosen,
        ...(isDryRun ? { dry_run: 'true' } : {}),
      })
      const type = /\.(?:ndjson|jsonl)$/.test(file.name) ? 'application/x-ndjson' : 'text/csv'
      const body = new Blob([file], { type })
      const answer = await write('POST', `/imports?${query}`, { body })
      setStarted(answer.location && pathOf(answer.location))
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  return (
    <article class="imports">
      <header class="head">
        <h1>{word('imports')}</h1>
      </header>
      <form class="card narrow" onSubmit={submit}>
        {problem !== '' && (
          <p class="problem box" role="alert">
            {problem}
          </p>
        )}
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
        </div>
        <div class="field">
          <label for="import-file">{word('importFile')}</label>
          <input
            id="import-file"
            type="file"
            required
            accept=".csv,.ndjson,.jsonl"
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
          <button type="submit" class="main" disabled={!file}>
            {word('startImport')}
          </button>
        </footer>
      </form>
      {started !== undefined && <Progress key={started} href={started} />}
    </article>
  )
}

/** How far an operation has come, asked every second until it ends. */
function Progress({ href }: { readonly href: string }) {
  const [answer, setAnswer] = useState<Answer>()
  const [errors, setErrors] = useState<readonly Body[]>([])
  const update = async () => {
    const found = await read(href)
    setAnswer(found)
    const link = linkOf(found.body, 'errors')
    if (link && !unfinished.has(String(found.body.status))) {
      setErrors(entriesOf((await read(link.href)).body))
    }
  }
  const status = String(answer?.body.status ?? 'queued')
  useEffect(() => {
    if (!unfinished.has(status)) return
    void update()
    const timer = setInterval(update, pauseMs)
    return () => clearInterval(timer)
  }, [status])
  if (!answer) return null
  const { done = 0, total = 0, failed = 0 } = (answer.body.progress ?? {}) as Body
  const label = word('progress', {
    done: formatNumber(Number(done)),
    total: formatNumber(Number(total)),
  })
  return (
    <section class="card narrow">
      <header>
        <h2>
          {String(answer.body.kind)} <Badge text={status} />
        </h2>
        <Actions answer={answer} onChanged={update} />
      </header>
      <progress value={Number(done) + Number(failed)} max={Number(total) || 1} aria-label={label} />
      <p class="quiet-text">
        {label}
        {Number(failed) > 0 && ` · ${word('rowsFailed', { count: formatNumber(Number(failed)) })}`}
      </p>
      {errors.length > 0 && (
        <ul class="lines">
          {errors.map((error) => (
            <li key={`${String(error.line)} ${String(error.field)}`}>
              <span>
                {word('line')} {String(error.line)}
              </span>
              <span class="grow">
                {String(error.field ?? '')} {String(error.message)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
