import { useState } from 'preact/hooks'
import type { Operation } from '../api/document.ts'
import type { Body } from '../api/json.ts'
import { pathOf } from '../api/links.ts'
import { type Answer, ApiProblem, read } from '../api/request.ts'
import { write } from '../api/write.ts'
import { announce } from '../parts/notice.tsx'
import { word } from '../words/words.ts'
import { convertFields, type FormField } from './dependent.ts'
import { useProblems } from './problems.ts'
import { mergePatch } from './values.ts'

/** What a form edits, and where it sends it. */
export interface FormOptions {
  readonly operation: Operation
  readonly href: string
  /** The resource as it was read; undefined for a new one. */
  readonly original?: Answer | undefined
  /** The values that a new resource begins with. */
  readonly initial?: Body | undefined
  readonly onDone: (answer: Answer) => Promise<void> | void
  readonly onClose: () => void
}

/** The values of a form, its problems, a conflict with a change by others, and how to send it. */
export function useFormState(options: FormOptions, fields: readonly FormField[]) {
  const { operation, href, original, initial = {}, onDone, onClose } = options
  const [base, setBase] = useState(original)
  const [theirs, setTheirs] = useState<Answer>()
  const [values, setValues] = useState<Body>(() => pick(original?.body ?? initial, fields))
  const [isSending, setSending] = useState(false)
  const { clearProblems, showProblems, ...shown } = useProblems(fields)
  const send = async (chosen: Body, against: Answer | undefined) => {
    const body = bodyOf(operation, fields, chosen, against)
    if (against && Object.keys(body).length === 0) {
      announce(word('unchanged'))
      return onClose()
    }
    setSending(true)
    clearProblems()
    try {
      const answer = await write(operation.method, href, { body, ifMatch: against?.etag })
      announce(word(original ? 'saved' : 'created'))
      await onDone(answer)
    } catch (error) {
      const isStale = error instanceof ApiProblem && error.status === 412
      if (isStale && base) setTheirs(await read(pathOf(href)))
      else showProblems(error)
    } finally {
      setSending(false)
    }
  }
  return {
    ...shown,
    values,
    isSending,
    /** What was read and what others have stored since then; undefined without a conflict. */
    conflict: base &&
      theirs && { base: pick(base.body, fields), theirs: pick(theirs.body, fields) },
    change: (name: string, value: Body[string]) =>
      setValues((entered) => ({ ...entered, [name]: emptied(value, base?.body[name]) })),
    submit: () => send(values, base),
    submitMerged: (merged: Body) => {
      setBase(theirs)
      setValues(merged)
      setTheirs(undefined)
      return send(merged, theirs)
    },
  }
}

/** The body of the request: the whole resource, or what of it differs from `against`. */
function bodyOf(
  { template, method }: Operation,
  fields: readonly FormField[],
  chosen: Body,
  against: Answer | undefined,
): Body {
  const entered = convertFields(template, fields, chosen)
  if (!against) return withoutEmpty(entered)
  return method === 'PUT' ? entered : mergePatch(pick(against.body, fields), entered)
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
