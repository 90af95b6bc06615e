import { useState } from 'preact/hooks'
import { useReading, useShop } from '../api/context.ts'
import type { Operation } from '../api/document.ts'
import type { Body } from '../api/json.ts'
import { linkOf, pageOf, pathOf } from '../api/links.ts'
import { type Answer, entriesOf, read } from '../api/request.ts'
import { formatNumber } from '../format.ts'
import { Form } from '../forms/form.tsx'
import { Secret, secretsOf } from '../forms/secret.tsx'
import { Icon } from '../parts/icon.tsx'
import { Blank, Failure, Skeleton } from '../parts/notice.tsx'
import { isNumeric, subjectInWords, Value } from '../parts/value.tsx'
import { open, type Place } from '../router.ts'
import { nameInWords, word } from '../words/words.ts'
import { type Column, columnsOf } from './columns.ts'
import { Filters } from './filters.tsx'
import { Views } from './views.tsx'

interface ListProps {
  readonly place: Place
  readonly operation: Operation
  readonly title: string
}

const pageSize = '25'
const positions = ['page', 'cursor', 'limit', 'sort', 'order']

/** The address of the page of a collection that is asked for. */
function requestOf({ path, query }: Place, operation: Operation): string {
  const asked = new URLSearchParams(query)
  const has = (name: string) => operation.query.some((each) => each.name === name)
  if (!asked.has('limit')) asked.set('limit', pageSize)
  const sort = operation.query.find(({ name }) => name === 'sort')?.schema.enum
  if (!asked.has('sort') && sort?.includes('created_at')) {
    asked.set('sort', 'created_at')
    if (has('order')) asked.set('order', 'desc')
  }
  return `${path}?${asked}`
}

/** A collection as a table, with what the API can filter and sort it by. */
export function List({ place, operation, title }: ListProps) {
  const { document: api } = useShop()
  const asked = requestOf(place, operation)
  const { answer, error, isLoading, reload } = useReading(asked)
  const [shown, setShown] = useState<Answer>()
  // The last page stays until the next one is here.
  if (answer && answer !== shown) setShown(answer)
  const columns = columnsOf(api, operation.template, api.entrySchema(operation) ?? {})
  const isFiltered = [...place.query.keys()].some((name) => !positions.includes(name))
  const entries = entriesOf(shown?.body)
  return (
    <article class="list" aria-busy={isLoading}>
      <header class="head">
        <div class="title">
          <Parent path={place.path} />
          <h1>{title}</h1>
        </div>
        {isNumbered(columns) && <OpenByNumber place={place} operation={operation} />}
        <Views place={place} />
        <Create place={place} onCreated={reload} />
      </header>
      <Filters place={place} operation={operation} />
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && !shown && <Skeleton lines={10} />}
      {error === undefined && shown && entries.length === 0 && (
        <Blank text={word(isFiltered ? 'emptyFiltered' : 'empty')}>
          {isFiltered && (
            <button type="button" onClick={() => open(place.path)}>
              {word('clear')}
            </button>
          )}
        </Blank>
      )}
      {error === undefined && shown && entries.length > 0 && (
        <>
          <Table {...{ entries, columns, place, operation, title }} asked={asked} />
          <Pages place={place} page={shown.body} size={entries.length} />
        </>
      )}
    </article>
  )
}

/** The resource that the collection belongs to, such as the product of reviews. */
function Parent({ path }: { readonly path: string }) {
  const { document: api } = useShop()
  const parent = path.replace(/\/[^/]+$/, '')
  if (parent === '' || !api.operation('GET', parent)) return null
  return (
    <a class="crumb" href={pageOf(parent)}>
      {subjectInWords(parent)}
    </a>
  )
}

const isNumbered = ([first]: readonly Column[]): boolean =>
  first?.name === 'id' || first?.name === 'number'

/** Finds the page of the entry with a number, which is its ID where the API knows no other; the list if there is none. */
async function findByNumber({ path }: Place, operation: Operation, number: string) {
  if (!operation.query.some(({ name }) => name === 'number')) {
    const id = number.replace(/^#/, '')
    return /^\d+$/.test(id) ? `${path}/${id}` : path
  }
  const list = `${path}?${new URLSearchParams({ number })}`
  const [found] = entriesOf((await read(list)).body)
  return (found && linkOf(found, 'self')?.href) ?? list
}

/** Opens an entry by its number, where the list shows numbers and the API has such entries. */
function OpenByNumber({
  place,
  operation,
}: {
  readonly place: Place
  readonly operation: Operation
}) {
  const { document: api } = useShop()
  const [number, setNumber] = useState('')
  if (!api.operation('GET', `${place.path}/1`)) return null
  const submit = async (event: Event) => {
    event.preventDefault()
    const given = number.trim()
    if (given !== '') open(pathOf(await findByNumber(place, operation, given)))
  }
  return (
    <form class="open-by-number" onSubmit={submit}>
      <input
        aria-label={word('openByNumber')}
        placeholder={word('openByNumber')}
        value={number}
        onInput={(event) => setNumber(event.currentTarget.value)}
      />
    </form>
  )
}

interface TableProps extends ListProps {
  readonly entries: readonly Body[]
  readonly columns: readonly Column[]
  readonly asked: string
}

function Table({ entries, columns, place, operation, title, asked }: TableProps) {
  const sorts = operation.query.find(({ name }) => name === 'sort')?.schema.enum ?? []
  const query = new URLSearchParams(asked.split('?')[1])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section class="table" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, schema }) => (
              <Heading
                key={name}
                name={name}
                isEnd={isNumeric(schema, name)}
                isSortable={sorts.includes(name)}
                query={query}
                place={place}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, row) => (
            <Row key={String(entry.id ?? row)} entry={entry} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Heading({
  name,
  isEnd,
  isSortable,
  query,
  place,
}: {
  readonly name: string
  readonly isEnd: boolean
  readonly isSortable: boolean
  readonly query: URLSearchParams
  readonly place: Place
}) {
  const isSorted = query.get('sort') === name
  const isDescending = query.get('order') === 'desc'
  const sort = () => {
    const changed = new URLSearchParams(place.query)
    for (const each of ['cursor', 'page']) changed.delete(each)
    changed.set('sort', name)
    changed.set('order', isSorted && !isDescending ? 'desc' : 'asc')
    open(`${place.path}?${changed}`)
  }
  const direction = isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" class={isEnd ? 'end' : ''} aria-sort={isSorted ? direction : undefined}>
      {isSortable ? (
        <button type="button" class="sort" onClick={sort}>
          {nameInWords(name)}
          {isSorted && <Icon name={isDescending ? 'down' : 'up'} />}
        </button>
      ) : (
        nameInWords(name)
      )}
    </th>
  )
}

function Row({ entry, columns }: { readonly entry: Body; readonly columns: readonly Column[] }) {
  const target = linkOf(entry, 'self') ?? linkOf(entry, 'products')
  return (
    <tr>
      {columns.map(({ name, schema }, index) => {
        const isTitle = index === 0 && target !== undefined
        const content = (
          <Value value={entry[name]} schema={schema} name={name} of={entry} isLinked={!isTitle} />
        )
        return (
          <td key={name} class={isNumeric(schema, name) ? 'end' : ''}>
            {isTitle ? (
              <a class="row-link" href={pageOf(target.href)}>
                {name === 'id' ? <>#{content}</> : content}
              </a>
            ) : (
              content
            )}
          </td>
        )
      })}
    </tr>
  )
}

function Pages({
  place,
  page,
  size,
}: {
  readonly place: Place
  readonly page: Body
  readonly size: number
}) {
  const pagination = (page.pagination ?? {}) as Body
  const { next_cursor: next, total_items: total, total_items_capped: isCapped, limit } = pagination
  const cursor = place.query.get('cursor') ?? ''
  const to = (target: string, trail: readonly string[]) => {
    const query = new URLSearchParams(place.query)
    if (target === '') query.delete('cursor')
    else query.set('cursor', target)
    open(query.size === 0 ? place.path : `${place.path}?${query}`, { trail })
    window.scrollTo(0, 0)
  }
  // A feed has a cursor at its end, too.
  const hasNext = typeof next === 'string' && size >= Number(limit)
  const previous = place.trail.at(-1)
  return (
    <nav class="pages" aria-label={word('page', { page: place.trail.length + 1 })}>
      <span class="quiet-text">
        {typeof total === 'number' &&
          word(isCapped === true ? 'totalCapped' : 'total', { count: formatNumber(total) })}
      </span>
      <button
        type="button"
        disabled={previous === undefined}
        onClick={() => to(previous ?? '', place.trail.slice(0, -1))}
      >
        <Icon name="left" />
        {word('previous')}
      </button>
      <span class="quiet-text">{word('page', { page: place.trail.length + 1 })}</span>
      <button
        type="button"
        disabled={!hasNext}
        onClick={() => to(String(next), [...place.trail, cursor])}
      >
        {word('next')}
        <Icon name="right" />
      </button>
    </nav>
  )
}

/** The button and form of a new entry, where the API has one and the token its scopes. */
function Create({ place, onCreated }: { readonly place: Place; readonly onCreated: () => void }) {
  const { document: api } = useShop()
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<Answer>()
  const operation = api.permitted('POST', place.path)
  if (!operation?.bodySchema || /orders|cart|reviews/.test(place.path)) return null
  const finish = (answer: Answer) => {
    setOpen(false)
    if (secretsOf(answer.body).length > 0) {
      setSecret(answer)
      onCreated()
    } else if (answer.location !== undefined) open(pathOf(answer.location))
    else onCreated()
  }
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {word('add')}
      </button>
      {isOpen && (
        <Form
          title={word('add')}
          operation={operation}
          href={place.path}
          onDone={finish}
          onClose={() => setOpen(false)}
        />
      )}
      {secret && <Secret body={secret.body} onClose={() => setSecret(undefined)} />}
    </>
  )
}
