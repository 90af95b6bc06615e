import { useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { ApiDocument, Operation } from '../api/document.ts'
import type { Body } from '../api/json.ts'
import { type Link, linksOf } from '../api/links.ts'
import { type Answer, ApiProblem } from '../api/request.ts'
import { write } from '../api/write.ts'
import { Dialog } from '../parts/dialog.tsx'
import { announce, describeError, Problem } from '../parts/notice.tsx'
import { Value } from '../parts/value.tsx'
import { knownName, nameInWords, word } from '../words/words.ts'
import { Form } from './form.tsx'
import { Secret, secretsOf } from './secret.tsx'

interface ActionsProps {
  readonly answer: Answer
  /** Links that the page shows in its own way. */
  readonly except?: readonly string[]
  /** Called after a change, with true if the resource is gone; resolves once the page shows it. */
  readonly onChanged: (isGone: boolean) => Promise<void> | void
}

const isEdit = ({ name }: Link): boolean => name === 'edit' || name === 'update'
const isDelete = ({ name }: Link): boolean => name === 'delete'

/** What a link does, in words; `cancel` of an order is not that of an import. */
function labelOf(link: Link): string {
  if (isEdit(link)) return word('edit')
  if (isDelete(link)) return word('delete')
  const resource = link.href.split('/').findLast((part) => /^[a-z]/.test(part))
  return knownName(`${resource}.${link.name}`) ?? nameInWords(link.name)
}

/** The buttons of a resource: one for each link that has a method. */
export function Actions({ answer, except = [], onChanged }: ActionsProps) {
  const [chosen, setChosen] = useState<Link>()
  const [secret, setSecret] = useState<Answer>()
  const links = linksOf(answer.body).filter(
    ({ name, method }) => method !== 'GET' && !except.includes(name),
  )
  // `edit` replaces and `update` modifies the same resource: one form does both.
  const shown = links.filter(
    (link) =>
      link.name !== 'update' ||
      !links.some((each) => each.name === 'edit' && each.href === link.href),
  )
  const finish = async (link: Link, changed: Answer) => {
    // The form closes last: opened again, it begins with the new state and its ETag.
    await onChanged(isDelete(link))
    setChosen(undefined)
    if (secretsOf(changed.body).length > 0) setSecret(changed)
  }
  return (
    <div class="actions">
      {shown.map((link) => (
        <button
          key={link.name}
          type="button"
          data-link={link.name}
          class={isDelete(link) ? 'danger' : isEdit(link) ? 'main' : ''}
          onClick={() => setChosen(link)}
        >
          {labelOf(link)}
        </button>
      ))}
      {chosen && (
        <Action
          link={chosen}
          answer={answer}
          onDone={(changed) => finish(chosen, changed)}
          onStale={() => {
            setChosen(undefined)
            announce(word('changedMeanwhile'))
            void onChanged(false)
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
      {secret && <Secret body={secret.body} onClose={() => setSecret(undefined)} />}
    </div>
  )
}

interface ActionProps {
  readonly link: Link
  readonly answer: Answer
  readonly onDone: (answer: Answer) => Promise<void> | void
  readonly onStale: () => void
  readonly onClose: () => void
}

/** The form of a link that needs input, or the question before it is followed. */
export function Action({ link, answer, onDone, onStale, onClose }: ActionProps) {
  const { document } = useShop()
  const operation = operationOf(document, link)
  if (!operation) return null
  const title = labelOf(link)
  const form = { title, operation, href: link.href, onDone, onClose }
  if (isEdit(link)) return <Form {...form} original={answer} />
  if (needsInput(link, operation)) return <Form {...form} initial={knownValues(link.body)} />
  return <Confirmation {...{ link, answer, title, onDone, onStale, onClose }} />
}

/** An edit changes what it names: PATCH where the API has it. */
const operationOf = (document: ApiDocument, link: Link): Operation | undefined =>
  (isEdit(link) ? document.operation('PATCH', link.href) : undefined) ??
  document.operation(link.method, link.href)

const placeholders = new Set(['string', 'number', 'integer', 'boolean'])

const isPlaceholder = (value: unknown): boolean =>
  typeof value === 'string' && placeholders.has(value)

/** True if the link does not hold all that its request needs. */
const needsInput = ({ body, method }: Link, { bodySchema, isBodyRequired }: Operation): boolean =>
  method !== 'DELETE' &&
  bodySchema !== undefined &&
  (body === undefined ? isBodyRequired : Object.values(body).some(isPlaceholder))

const knownValues = (body: Body = {}): Body =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => !isPlaceholder(value)))

function Confirmation({
  link,
  answer,
  title,
  onDone,
  onStale,
  onClose,
}: ActionProps & { readonly title: string }) {
  const [failure, setFailure] = useState('')
  const [isSending, setSending] = useState(false)
  const isDeletion = isDelete(link)
  const confirm = async () => {
    setSending(true)
    try {
      const { body, href, method } = link
      const ifMatch = method === 'POST' ? undefined : answer.etag
      const sent = await write(method, href, { ...(body ? { body } : {}), ifMatch })
      announce(word(isDeletion ? 'deleted' : 'done'))
      await onDone(sent)
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 412) return onStale()
      setFailure(describeError(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{isDeletion ? word('confirmDelete') : word('confirmAction', { name: title })}</p>
      {link.body && Object.keys(link.body).length > 0 && (
        <Value value={link.body} schema={{}} name={link.name} />
      )}
      <Problem text={failure} />
      <footer>
        <button type="button" onClick={onClose}>
          {word('cancel')}
        </button>
        <button
          type="button"
          class={isDeletion ? 'danger main' : 'main'}
          disabled={isSending}
          onClick={confirm}
        >
          {isDeletion ? word('delete') : word('confirm')}
        </button>
      </footer>
    </Dialog>
  )
}
