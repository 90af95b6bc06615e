import { useState } from 'preact/hooks'
import { linkOf } from '../../api/links.ts'
import type { Answer } from '../../api/request.ts'
import { write } from '../../api/write.ts'
import { Field } from '../../forms/field.tsx'
import { useSubmission } from '../../forms/submission.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notice.tsx'
import { word } from '../../words/words.ts'

const fields = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Ships an order, with its carrier and number where they are given. */
export function ShipForm({
  answer,
  shipping,
  onDone,
  onStale,
  onClose,
}: {
  readonly answer: Answer
  readonly shipping: Answer | undefined
  readonly onDone: () => void
  /** Reads again what is shipped. */
  readonly onStale: () => void
  readonly onClose: () => void
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const send = () => ship(answer, shipping, values)
  const { problems, failure, isSending, submit } = useSubmission(send, onDone, onStale)
  return (
    <Dialog title={word('shipTitle', { id: String(answer.body.number) })} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Problem text={failure} />
        {fields.map((name) => (
          <Field
            key={name}
            name={name}
            path={name}
            schema={{ type: 'string' }}
            value={values[name] ?? ''}
            isRequired={false}
            problems={problems}
            onChange={(value) => setValues((given) => ({ ...given, [name]: String(value ?? '') }))}
          />
        ))}
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={isSending}>
            {word('ship')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Moves the shipping along, which ships the order; or the order where there is nothing to add. */
async function ship(
  answer: Answer,
  shipping: Answer | undefined,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const update = shipping && linkOf(shipping.body, 'update')
  const link = linkOf(answer.body, 'ship')
  if (given.length > 0 && update) {
    const body = { ...Object.fromEntries(given), status: 'in_transit' }
    await write('PATCH', update.href, { body, ifMatch: shipping.etag })
  } else if (link) {
    await write(link.method, link.href, { body: link.body ?? {}, ifMatch: answer.etag })
  }
}
