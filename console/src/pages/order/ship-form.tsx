import { useState } from 'preact/hooks'
import type { Body } from '../../api/json.ts'
import { linkOf } from '../../api/links.ts'
import type { Answer } from '../../api/request.ts'
import { write } from '../../api/write.ts'
import { Field } from '../../forms/field.tsx'
import { useSubmission } from '../../forms/submission.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/notice.tsx'
import { word } from '../../words/words.ts'
import { PieceRows } from './piece-rows.tsx'
import { chosenPieces, leftToSend, type Quantities } from './pieces.ts'

const fields = ['carrier', 'tracking_number', 'tracking_url'] as const

/** Ships an order, or some of its pieces, with carrier and number where they are given. */
export function ShipForm({
  answer,
  shipping,
  items,
  refunds,
  onDone,
  onStale,
  onClose,
}: {
  readonly answer: Answer
  readonly shipping: Answer | undefined
  readonly items: readonly Body[]
  readonly refunds: readonly Body[]
  readonly onDone: () => void
  /** Reads again what is shipped. */
  readonly onStale: () => void
  readonly onClose: () => void
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const left = new Map(items.map((item) => [String(item.id), leftToSend(item, refunds)]))
  const toSend = items.filter(({ id }) => left.get(String(id)) !== 0)
  const [quantities, setQuantities] = useState<Quantities>(Object.fromEntries(left))
  const isAll = toSend.every(({ id }) => quantities[String(id)] === left.get(String(id)))
  const parcels = linkOf(answer.body, 'send')
  const pieces = chosenPieces(quantities)
  const send = () =>
    isAll || !parcels
      ? ship(answer, shipping, values)
      : write('POST', parcels.href, { body: { items: pieces, ...givenOf(values) } })
  const { problems, failure, isSending, submit } = useSubmission(send, onDone, onStale)
  return (
    <Dialog title={word('shipTitle', { id: String(answer.body.number) })} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Problem text={failure} />
        {parcels && (
          <PieceRows
            items={toSend}
            leftOf={({ id }) => left.get(String(id)) ?? 0}
            quantities={quantities}
            onChange={setQuantities}
          />
        )}
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
          <button type="submit" class="main" disabled={isSending || pieces.length === 0}>
            {word('ship')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What was entered. */
const givenOf = (values: Readonly<Record<string, string>>): Body =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Moves the shipping along, which ships the order; or the order where there is nothing to add. */
async function ship(
  answer: Answer,
  shipping: Answer | undefined,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const given = givenOf(values)
  const update = shipping && linkOf(shipping.body, 'update')
  const link = linkOf(answer.body, 'ship')
  if (Object.keys(given).length > 0 && update) {
    const body = { ...given, status: 'in_transit' }
    await write('PATCH', update.href, { body, ifMatch: shipping.etag })
  } else if (link) {
    await write(link.method, link.href, { body: link.body ?? {}, ifMatch: answer.etag })
  }
}
