import { Parser } from 'htmlparser2'
import { expect } from 'vitest'

/** Elements and attributes of a page of HTML, as a browser would see them. */
function elementsOf(html: string): { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = []
  const parser = new Parser({ onopentag: (name, attributes) => void found.push({ name, attributes }) })
  parser.end(html)
  return found
}

/** The viewer of a hostile document: its own script and nothing else that runs, fetches or leads elsewhere. */
export function expectSafeHtml(html: string): void {
  const elements = elementsOf(html)
  expect(elements.filter(({ name }) => name === 'script')).toHaveLength(1)
  expect(elements.filter(({ name }) => ['iframe', 'object', 'embed', 'base', 'link'].includes(name))).toEqual([])
  const addresses = elements.flatMap(({ attributes: { href, src } }) => [href ?? [], src ?? []].flat())
  expect(addresses.filter((address) => /^\s*(?:javascript|data|https?|\/\/)/i.test(address))).toEqual([])
  expect(elements.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => name.startsWith('on'))).toEqual([])
  const policies = elements.filter(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
  expect(policies.map(({ attributes }) => attributes.content)).toEqual([expect.stringMatching(/^default-src 'none';.*script-src 'sha256-[^']+';/)])
}

const fenced = /^(`{3,})[^\n`]*\n[\s\S]*?\n\1$/gm
const tag = /(?<!\\)<[A-Za-z/!?][^>]{0,200}>?/g
const ownTag = /^<(?:\/?(?:table|thead|tbody|tr|th|td)|br|t[dh](?: rowspan="\d+")?(?: colspan="\d+")?)>$/

/** Markdown of a hostile document: no markup but the tables and line breaks that are written on purpose, and no formula that ends early. */
export function expectSafeMarkdown(markdown: string): void {
  const written = markdown.replace(fenced, '')
  expect((written.match(tag) ?? []).filter((each) => !ownTag.test(each))).toEqual([])
  expect(written.split('\n').filter((line) => line.trim() === '$$').length % 2).toBe(0)
  const linked = written.replace(/^<table>.*<\/table>$/gm, '').match(/(?<!\\)\]\([^)\n]*/g) ?? []
  expect(linked.filter((each) => !/^\]\(images\/[\w/.-]+$/.test(each))).toEqual([])
  expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(markdown)).toBe(false)
}
