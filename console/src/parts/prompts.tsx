import { useEffect, useState } from 'preact/hooks'
import { onSessionEnd, read } from '../api/request.ts'
import { signInByWindow } from '../api/session.ts'
import { onPasswordNeeded } from '../api/write.ts'
import { word } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { describeError } from './notice.tsx'

type Resolve<T> = (value: T) => void

/** The dialogs that requests ask for: signing in again, and the password. */
export function Prompts({ userId }: { readonly userId: unknown }) {
  const [resolveSignIn, setResolveSignIn] = useState<{ readonly resolve: Resolve<void> }>()
  const [resolvePassword, setResolvePassword] = useState<{
    readonly resolve: Resolve<string | undefined>
  }>()
  useEffect(() => {
    let pending: Promise<void> | undefined
    // Requests that fail at the same time ask once.
    onSessionEnd(() => {
      pending ??= new Promise<void>((resolve) => setResolveSignIn({ resolve })).finally(() => {
        pending = undefined
        setResolveSignIn(undefined)
      })
      return pending
    })
    onPasswordNeeded(() =>
      new Promise<string | undefined>((resolve) => setResolvePassword({ resolve })).finally(() =>
        setResolvePassword(undefined),
      ),
    )
  }, [])
  return (
    <>
      {resolvePassword && <PasswordPrompt onDone={resolvePassword.resolve} />}
      {resolveSignIn && <SignInPrompt userId={userId} onDone={resolveSignIn.resolve} />}
    </>
  )
}

function SignInPrompt({
  userId,
  onDone,
}: {
  readonly userId: unknown
  readonly onDone: () => void
}) {
  const [problem, setProblem] = useState('')
  const signIn = async () => {
    try {
      await signInByWindow()
      // Nobody's request is sent in the name of somebody else.
      if ((await read('/profile')).body.id === userId) onDone()
      else setProblem(word('otherUser'))
    } catch (error) {
      setProblem(describeError(error))
    }
  }
  return (
    <Dialog title={word('signInAgain')} onClose={() => undefined}>
      <p>{word('signInAgainText')}</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <button type="button" class="main" onClick={signIn}>
          {word('signIn')}
        </button>
      </footer>
    </Dialog>
  )
}

function PasswordPrompt({ onDone }: { readonly onDone: (password: string | undefined) => void }) {
  const [password, setPassword] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    onDone(password)
  }
  return (
    <Dialog title={word('passwordTitle')} onClose={() => onDone(undefined)}>
      <form onSubmit={submit}>
        <p>{word('passwordText')}</p>
        <div class="field">
          <label for="confirm-password">{word('password')}</label>
          <input
            id="confirm-password"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </div>
        <footer>
          <button type="button" onClick={() => onDone(undefined)}>
            {word('cancel')}
          </button>
          <button type="submit" class="main">
            {word('confirm')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
