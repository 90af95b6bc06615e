import { useShop } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linksOf, pageOf } from '../api/links.ts'
import type { Answer } from '../api/request.ts'
import { Actions } from '../forms/actions.tsx'
import { Badge, Value } from '../parts/value.tsx'
import { open } from '../router.ts'
import { nameInWords, word } from '../words/words.ts'

/** What the page of a resource gets. */
export interface ItemProps {
  readonly answer: Answer
  readonly href: string
  readonly template: string
  readonly reload: () => Promise<void>
}

/** What a resource is called: its name, code, title or number. */
function titleOf(body: Body, template: string): string {
  const name = body.name ?? body.code ?? body.title ?? body.url ?? body.type ?? body.action
  if (typeof name === 'string' && name !== '') return name
  const noun = template.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  return body.id === undefined ? nameInWords(noun) : `${nameInWords(noun)} ${String(body.id)}`
}

/** The first line of a resource: title, state and buttons. */
export function Head({
  answer,
  href,
  template,
  reload,
  except = [],
  title = titleOf(answer.body, template),
  collection = href.split('?')[0]?.replace(/\/[^/]+$/, '') ?? '/',
  children,
}: ItemProps & {
  readonly except?: readonly string[]
  readonly title?: string
  /** The list that it leads back to; the collection of the resource by default. */
  readonly collection?: string
  readonly children?: preact.ComponentChildren
}) {
  const { status, availability } = answer.body
  // Of a product that is sold, whether it is in stock says more.
  const state =
    availability !== undefined && status === 'active' ? availability : (status ?? availability)
  return (
    <header class="head">
      <div class="title">
        <a class="crumb" href={pageOf(collection)}>
          {nameInWords(collection.split('/').at(-1) ?? '')}
        </a>
        <h1>
          {title} {typeof state === 'string' && <Badge text={state} />}
        </h1>
      </div>
      {children}
      <Actions
        answer={answer}
        except={except}
        onChanged={(isGone) => (isGone ? open(collection) : reload())}
      />
    </header>
  )
}

/** The fields of a resource, as its schema names them. */
export function Details({
  answer,
  template,
  except = [],
}: Pick<ItemProps, 'answer' | 'template'> & { readonly except?: readonly string[] }) {
  const { document: api } = useShop()
  const operation = api.operation('GET', template)
  const properties = api.schema(operation?.responseSchema ?? {}).properties ?? {}
  const left = new Set(['_links', 'links', ...except])
  return (
    <section class="card" aria-label={word('details')}>
      <dl class="details">
        {Object.entries(answer.body)
          .filter(([name]) => !left.has(name))
          .map(([name, value]) => (
            <div key={name}>
              <dt>{nameInWords(name)}</dt>
              <dd>
                <Value value={value} schema={properties[name] ?? {}} name={name} of={answer.body} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

/** The links of a resource that lead to other pages of the console. */
export function Related({
  answer,
  except = [],
}: {
  readonly answer: Answer
  readonly except?: readonly string[]
}) {
  const { document: api } = useShop()
  const links = linksOf(answer.body).filter(
    ({ name, method, href }) =>
      method === 'GET' && name !== 'self' && !except.includes(name) && api.operation('GET', href),
  )
  if (links.length === 0) return null
  return (
    <nav class="related" aria-label={word('related')}>
      {links.map(({ name, href }) => (
        <a key={name} href={pageOf(href)} data-link={name}>
          {nameInWords(name)}
        </a>
      ))}
    </nav>
  )
}

/** A resource that has no page of its own: its fields, its links and its buttons. */
export function Item(props: ItemProps) {
  return (
    <article class="item">
      <Head {...props} />
      <Related answer={props.answer} />
      <Details answer={props.answer} template={props.template} />
    </article>
  )
}
