import { useRef, useState } from 'preact/hooks'
import { ApiProblem, type FieldProblem } from '../api/request.ts'
import { describeError } from '../parts/notice.tsx'
import { word } from '../words/words.ts'
import type { FormField } from './dependent.ts'

/** The problems of a form; the first one that is shown gets the focus. */
export function useProblems(fields: readonly FormField[]) {
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const clearProblems = () => {
    setProblems([])
    setFailure('')
  }
  const showProblems = (error: unknown) => {
    const found = error instanceof ApiProblem ? error.fields : []
    setProblems(found)
    setFailure(found.length > 0 ? unplaced(found, fields) : describeError(error))
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid], .problem')?.focus(),
    )
  }
  return { form, problems, failure, clearProblems, showProblems }
}

/** The problems of fields that the form does not show. */
function unplaced(problems: readonly FieldProblem[], fields: readonly FormField[]): string {
  const names = new Set(fields.map(([name]) => name))
  const rest = problems.filter(({ field }) => !names.has(field.split(/[.[/]/)[0] ?? ''))
  return [word('problems'), ...rest.map(({ field, message }) => `${field}: ${message}`)].join(' ')
}
