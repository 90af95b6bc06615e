import { useEffect } from 'preact/hooks'
import { useReading } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linkOf, pageOf } from '../api/links.ts'
import type { Answer } from '../api/request.ts'
import { entriesOf } from '../api/request.ts'
import { formatNumber } from '../format.ts'
import { SaveTable } from '../parts/save-table.tsx'
import { nameInWords, word } from '../words/words.ts'
import { Review } from './import/review.tsx'
import { PreviewRows, RepeatedKeys, Warnings } from './import/rows.tsx'
import { Details, Head, type ItemProps } from './item.tsx'

const pauseMs = 1_000
const unfinished = new Set(['queued', 'running'])
const shownErrors = 100
/** The members of a result that have a list of their own. */
const lists = new Set(['ignored_columns', 'mapping', 'preview', 'repeated_keys', 'warnings'])

/** How far an import has come, asked every second until it ends, and the rows that failed. */
export function Operation(props: ItemProps) {
  const { answer, href, template, reload } = props
  const { resource, status, progress, failure } = answer.body
  const result = (answer.body.result ?? {}) as Body
  const isReviewed = answer.body.dry_run === true && status === 'succeeded'
  const isUnfinished = unfinished.has(String(status))
  useEffect(() => {
    if (!isUnfinished) return
    const timer = setTimeout(reload, pauseMs)
    return () => clearTimeout(timer)
  }, [answer])
  return (
    <article class="item">
      <Head {...props} collection="/imports" title={nameInWords(String(resource))} />
      {typeof failure === 'string' && <p class="problem box">{failure}</p>}
      <div class="columns">
        <div class="stack">
          <Progress progress={(progress ?? {}) as Body} isUnfinished={isUnfinished} />
          {isReviewed && <Review href={href} operation={answer.body} />}
          {!isReviewed && <IgnoredColumns result={result} />}
        </div>
        <div class="below">
          <PreviewRows result={result} resource={String(resource)} />
          {!isUnfinished && <Errors operation={answer.body} />}
          <RepeatedKeys result={result} />
          <Warnings result={result} />
        </div>
        <Details
          answer={withoutLists(answer)}
          template={template}
          except={['progress', 'failure', 'kind']}
        />
      </div>
    </article>
  )
}

function Progress({
  progress: { done, failed, total },
  isUnfinished,
}: {
  readonly progress: Body
  readonly isUnfinished: boolean
}) {
  const [doneCount, failedCount] = [Number(done ?? 0), Number(failed ?? 0)]
  const seen = doneCount + failedCount
  // The total is known once the whole file has been read.
  const max = typeof total === 'number' ? Math.max(total, 1) : undefined
  const label =
    typeof total === 'number'
      ? word('progress', { done: formatNumber(seen), total: formatNumber(total) })
      : word('progressSoFar', { done: formatNumber(seen) })
  return (
    <section class="card" aria-busy={isUnfinished}>
      <header>
        <h2>{word('rows')}</h2>
      </header>
      <progress
        {...(max === undefined && isUnfinished ? {} : { value: seen, max: max ?? 1 })}
        aria-label={label}
      />
      <p class="quiet-text" role="status">
        {label}
        {failedCount > 0 && ` · ${word('rowsFailed', { count: formatNumber(failedCount) })}`}
      </p>
    </section>
  )
}

/** An operation without what has a list of its own, and with what was detected beside the counts. */
function withoutLists(answer: Answer): Answer {
  if (answer.body.result === null) return answer
  const { detected, ...given } = answer.body.result as Body
  const result = Object.fromEntries(Object.entries(given).filter(([name]) => !lists.has(name)))
  return { ...answer, body: { ...answer.body, result, detected: detected ?? null } }
}

/** The columns that meant nothing, of which somebody may miss the values. */
function IgnoredColumns({ result }: { readonly result: Body }) {
  const columns = ((result.ignored_columns ?? []) as readonly Body[]).filter(
    ({ values }) => Number(values) > 0,
  )
  if (columns.length === 0) return null
  return (
    <section class="card flush">
      <header>
        <h2>{word('ignoredColumns')}</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{word('column')}</th>
            <th scope="col" class="end">
              {word('rows')}
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, values }) => (
            <tr key={String(name)}>
              <td>
                <code>{String(name)}</code>
              </td>
              <td class="end">{formatNumber(Number(values))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Errors({ operation }: { readonly operation: Body }) {
  const href = linkOf(operation, 'errors')?.href
  const { answer } = useReading(href && `${href}?sort=line&limit=${shownErrors}`)
  const errors = entriesOf(answer?.body)
  if (href === undefined || errors.length === 0) return null
  const total = Number((answer?.body.pagination as Body | undefined)?.total_items ?? 0)
  return (
    <section class="card flush">
      <header>
        <h2>{word('failedRows')}</h2>
        <div class="actions">
          <SaveTable href={href} fileName="failed-rows.csv" text={word('downloadCsv')} />
        </div>
        {total > errors.length && <a href={pageOf(href)}>{word('seeAll')}</a>}
      </header>
      <div class="scroll">
        <table class="failed-rows">
          <thead>
            <tr>
              <th scope="col" class="end">
                {word('row')}
              </th>
              <th scope="col">{nameInWords('key')}</th>
              <th scope="col">{word('column')}</th>
              <th scope="col">{nameInWords('value')}</th>
              <th scope="col">{word('reason')}</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ record, key, field, value, message }, index) => (
              <tr key={index}>
                <td class="end">{formatNumber(Number(record))}</td>
                <td>{String(key ?? '')}</td>
                <td>{field === null ? word('none') : <code>{String(field)}</code>}</td>
                <td>{String(value ?? '')}</td>
                <td>{String(message)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
