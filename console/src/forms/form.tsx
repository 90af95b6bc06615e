import { useRef, useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Operation } from '../api/document.ts'
import type { Body } from '../api/json.ts'
import { pathOf } from '../api/links.ts'
import { type Answer, ApiProblem, type FieldProblem, read } from '../api/request.ts'
import { write } from '../api/write.ts'
import { Dialog } from '../parts/dialog.tsx'
import { announce, describeError, Problem } from '../parts/notice.tsx'
import { word } from '../words/words.ts'
import { convertFields, type FormField, selectFields } from './dependent.ts'
import { Field } from './field.tsx'
import { Merge } from './merge.tsx'
import { mergePatch } from './values.ts'

interface FormProps {
  readonly title: string
  readonly operation: Operation
  readonly href: string
  /** The resource as it was read; undefined for a new one. */
  readonly original?: Answer | undefined
  /** The values that a new resource begins with. */
  readonly initial?: Body | undefined
  readonly onDone: (answer: Answer) => Promise<void> | void
  readonly onClose: () => void
}

/** The form of an operation, drawn from its schema. It sends only what has changed. */
export function Form(props: FormProps) {
  const { title, operation, href, original, initial = {}, onDone, onClose } = props
  const { document: api } = useShop()
  const schema = api.schema(operation.bodySchema ?? {})
  const fields: readonly FormField[] = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, api.schema(each)],
  )
  const [base, setBase] = useState(original)
  const [values, setValues] = useState<Body>(() => pick(original?.body ?? initial, fields))
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState('')
  const [isSending, setSending] = useState(false)
  const [theirs, setTheirs] = useState<Answer>()
  const form = useRef<HTMLFormElement>(null)

  const submit = async (chosen: Body, against: Answer | undefined) => {
    const entered = convertFields(operation.template, fields, chosen)
    const before = against ? pick(against.body, fields) : {}
    const changes = operation.method === 'PUT' ? entered : mergePatch(before, entered)
    const body = against ? changes : withoutEmpty(entered)
    if (against && Object.keys(body).length === 0) {
      announce(word('unchanged'))
      return onClose()
    }
    setSending(true)
    setProblems([])
    setFailure('')
    try {
      const ifMatch = against?.etag
      const answer = await write(operation.method, href, { body, ifMatch })
      announce(word(original ? 'saved' : 'created'))
      await onDone(answer)
    } catch (error) {
      await fail(error)
    } finally {
      setSending(false)
    }
  }

  const fail = async (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 412 && base) {
      return setTheirs(await read(pathOf(href)))
    }
    const found = error instanceof ApiProblem ? error.fields : []
    setProblems(found)
    setFailure(found.length > 0 ? unplaced(found, fields) : describeError(error))
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid], .problem')?.focus(),
    )
  }

  if (theirs && base) {
    return (
      <Merge
        base={pick(base.body, fields)}
        theirs={pick(theirs.body, fields)}
        yours={values}
        schema={schema}
        onClose={onClose}
        onMerged={(merged) => {
          setBase(theirs)
          setValues(merged)
          setTheirs(undefined)
          void submit(merged, theirs)
        }}
      />
    )
  }
  return (
    <Dialog title={title} kind="side" onClose={onClose}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit(values, base)
        }}
      >
        <Problem text={failure} />
        {selectFields(operation.template, fields, values).map(([name, fieldSchema]) => (
          <Field
            key={name}
            name={name}
            path={name}
            schema={fieldSchema}
            value={values[name]}
            isRequired={!original && schema.required?.includes(name) === true}
            problems={problems}
            onChange={(value) =>
              setValues((entered) => ({ ...entered, [name]: emptied(value, base?.body[name]) }))
            }
          />
        ))}
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={isSending}>
            {word('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

const pick = (body: Body, fields: readonly FormField[]): Body =>
  Object.fromEntries(fields.flatMap(([name]) => (name in body ? [[name, body[name]]] : [])))

const withoutEmpty = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )

/** An emptied field is null, unless it was an empty text before. */
const emptied = (value: Body[string], before: Body[string]): Body[string] =>
  value === '' && before !== '' ? null : value

/** The problems of fields that the form does not show. */
function unplaced(problems: readonly FieldProblem[], fields: readonly FormField[]): string {
  const names = new Set(fields.map(([name]) => name))
  const rest = problems.filter(({ field }) => !names.has(field.split(/[.[/]/)[0] ?? ''))
  return [word('problems'), ...rest.map(({ field, message }) => `${field}: ${message}`)].join(' ')
}
