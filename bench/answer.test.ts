import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdId, readAnswer } from './answer.ts'

const whole = {
  'a body of a stated length': ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello'],
  'a chunked body': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
    'hello',
  ],
  'no body': ['HTTP/1.1 204 No Content\r\nAllow: GET\r\n\r\n', ''],
} as const

for (const [name, [text, body]] of Object.entries(whole)) {
  test(`an answer with ${name} is read once its last byte is there, and not before`, () => {
    const bytes = Buffer.from(text)
    for (let length = 0; length < bytes.length; length += 1) {
      assert.equal(readAnswer(bytes.subarray(0, length)), undefined)
    }
    assert.equal(readAnswer(bytes)?.body.toString(), body)
  })
}

test('bytes after an answer are not taken for part of it', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab')
  assert.throws(() => readAnswer(bytes), /1 bytes after an answer/)
})

test('an answer without a length is refused, for its end cannot be known', () => {
  assert.throws(
    () => readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n\r\n')),
    /without a length/,
  )
})

test('the id of what was created is the number that ends its Location', () => {
  const head = 'HTTP/1.1 201 Created\r\nLocation: http://localhost:3000/v1/users/7/orders/42'
  assert.equal(createdId({ status: 201, head, body: Buffer.alloc(0) }), 42)
})
