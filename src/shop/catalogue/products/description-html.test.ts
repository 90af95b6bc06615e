import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countTags, htmlOf, maxTags, sanitize, textOf } from './description-html.ts'

const rel = 'rel="noopener noreferrer"'

describe('the HTML of a description', () => {
  test('keeps headings, lists, links, tables, emphasis and pictures of https', () => {
    const kept = [
      '<h2>Care</h2><p>Wash <strong>by</strong> <em>hand</em>.<br />Dry.</p>',
      '<ul><li>one</li><li>two</li></ul><ol><li>1</li></ol><dl><dt>a</dt><dd>b</dd></dl>',
      '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
      `<a href="https://shop.example/size?a=1&amp;b=2" title="Sizes" ${rel}>Sizes</a>`,
      `<a href="/size" ${rel}>a</a><a href="mailto:a@b.example" ${rel}>b</a><a href="tel:+49" ${rel}>c</a>`,
      '<img src="https://img.example/a.png" alt="A kettle" width="20" height="10" />',
      '<hr />',
    ]
    for (const html of kept) assert.equal(sanitize(html), html)
  })

  test('has nothing that runs, loads or styles', () => {
    const cleaned = [
      ['<p onclick="x()" style="color:red" class="a" id="b">t</p>', '<p>t</p>'],
      ['<script>alert(1)</script><style>p{}</style><p>t</p>', '<p>t</p>'],
      ['<a href="javascript:x()">t</a>', `<a ${rel}>t</a>`],
      ['<a href=" java&#10;script&colon;x()">t</a>', `<a ${rel}>t</a>`],
      [
        '<a href="data:text/html,x">t</a><a href="//e.example">u</a>',
        `<a ${rel}>t</a><a ${rel}>u</a>`,
      ],
      ['<a href="/a" target="_blank" rel="opener" ping="/x">t</a>', `<a href="/a" ${rel}>t</a>`],
      ['<img src="http://e.example/a.png"><img src="data:image/png,x"><img src=x onerror=y>', ''],
      [
        '<img src="https://e.example/a.png" srcset="x 2x" onload="y">',
        '<img src="https://e.example/a.png" />',
      ],
      ['<svg onload=x><a href="/a">t</a></svg>', `<a href="/a" ${rel}>t</a>`],
      [
        '<iframe src="https://e.example">a</iframe><object data=x>b</object><form action=x>c</form>',
        'abc',
      ],
      ['<math><mtext><table><mglyph><style><img src=x onerror=y>', '<table></table>'],
      ['<noscript><p title="</noscript><img src=x onerror=y>">', '<p></p>'],
      ['<div><blockquote>t</blockquote></div>', '<p><p>t</p></p>'],
      ['a<!-- x --><![CDATA[y]]>b', 'ab'],
      ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
      ['<b>'.repeat(100), `${'<b>'.repeat(30)}${'</b>'.repeat(30)}`],
      ['a&#0;b&#xD800;c', 'a\uFFFDb\uFFFDc'],
    ] as const
    for (const [html, clean] of cleaned) assert.equal(sanitize(html), clean, html)
  })

  test('has a text with a line for each of its own', () => {
    const texts = [
      [
        '<h2>Care</h2><p>Wash by<br>hand &amp; dry.</p>\n<p>Iron.</p>',
        'Care\n\nWash by\nhand & dry.\n\nIron.',
      ],
      [
        '<p>Has</p><ul><li>one</li>\n<li> two  <b>three</b></li></ul><p>end</p>',
        'Has\n\none\ntwo three\n\nend',
      ],
      ['<table><tr><th>A</th><td>1</td></tr><tr><th>B</th><td>2</td></tr></table>', 'A 1\nB 2'],
      ['<img src="https://e.example/a.png" alt="A">', ''],
      ['one\ntwo', 'one two'],
    ] as const
    for (const [html, text] of texts) assert.equal(textOf(sanitize(html)), text)
  })

  test('that follows from a text is safe, and has its paragraphs and lines', () => {
    assert.equal(htmlOf('a\n\nb\r\nc <i> & d\n'), '<p>a</p><p>b<br />c &lt;i&gt; &amp; d</p>')
    assert.equal(htmlOf(''), '')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const storable = text.toWellFormed().replaceAll('\0', '')
        const words = (given: string) => given.replace(/\s+/g, ' ').trim()
        const html = htmlOf(storable)
        assert.equal(words(textOf(html)), words(storable))
        assert.equal(words(sanitize(html)), words(html))
      }),
      { numRuns: 50 },
    )
  })

  test('is made of a bounded number of tags', () => {
    assert.equal(countTags('<b>'.repeat(maxTags)), maxTags)
    assert.equal(countTags('a <b>c</b>'), 2)
  })
})
