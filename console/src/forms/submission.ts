import { useState } from 'preact/hooks'
import { ApiProblem, type FieldProblem } from '../api/request.ts'
import { describeError } from '../parts/notice.tsx'

/**
 * Sends a form on `submit`, and has what was wrong with it. `onStale` is called when what the form is
 * about has changed meanwhile (412).
 */
export function useSubmission(
  send: () => Promise<unknown>,
  onDone: () => void,
  onStale?: () => void,
) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      await send()
      onDone()
    } catch (failed) {
      setError(failed)
      if (failed instanceof ApiProblem && failed.status === 412) onStale?.()
      setSending(false)
    }
  }
  const problems: readonly FieldProblem[] = error instanceof ApiProblem ? error.fields : []
  const failure = error === undefined ? '' : describeError(error)
  return { problems, failure, isSending, submit }
}
