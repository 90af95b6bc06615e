import { useEffect, useState } from 'preact/hooks'
import { ApiProblem } from '../api/request.ts'
import { word } from '../words/words.ts'
import { Icon } from './icon.tsx'

const said = new EventTarget()
const shownMs = 5_000

/** Shows a short text for some seconds, and reads it to screen readers. */
export function announce(text: string): void {
  said.dispatchEvent(new CustomEvent('said', { detail: text }))
}

/** The place of announced texts. */
export function Announcements() {
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (event: Event) => {
      setText((event as CustomEvent<string>).detail)
      clearTimeout(timer)
      timer = setTimeout(() => setText(''), shownMs)
    }
    said.addEventListener('said', show)
    return () => said.removeEventListener('said', show)
  }, [])
  return (
    <div class="announcements" role="status">
      {text !== '' && <span>{text}</span>}
    </div>
  )
}

/** An error in words: what the API says, or what the browser does. */
export const describeError = (error: unknown): string =>
  error instanceof ApiProblem
    ? error.fields.length > 0
      ? error.fields.map(({ field, message }) => `${field}: ${message}`).join('\n')
      : error.details || error.message
    : error instanceof Error
      ? error.message
      : String(error)

/** What went wrong with what was entered; nothing without a text. */
export function Problem({ text }: { readonly text: string }) {
  if (text === '') return null
  return (
    <p class="problem box" role="alert" tabIndex={-1}>
      {text}
    </p>
  )
}

/** What is shown where a page could not be loaded. */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry: () => void
}) {
  return (
    <div class="blank" role="alert">
      <Icon name="warning" />
      <strong>{word('failed')}</strong>
      <p>{describeError(error)}</p>
      <button type="button" onClick={onRetry}>
        {word('retry')}
      </button>
    </div>
  )
}

/** What is shown where there is nothing. */
export function Blank({
  text,
  children,
}: {
  readonly text: string
  readonly children?: preact.ComponentChildren
}) {
  return (
    <div class="blank">
      <strong>{text}</strong>
      {children}
    </div>
  )
}

/** Grey lines in place of what is being loaded. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={word('loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}
