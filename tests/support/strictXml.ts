/** What is wrong with a document as a strict XML parser sees it; undefined: nothing. Knows what our own files use: elements, attributes, text. */
export function xmlFault(document: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- these are the characters XML has no place for
  const foreign = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.exec(document)
  if (foreign) return `character ${foreign[0].charCodeAt(0)} at ${foreign.index}`
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8" standalone="yes"\?>\s*/, '')
  const open: string[] = []
  let roots = 0
  let at = 0
  for (const tag of body.matchAll(/<[^>]*>/g)) {
    const before = textFault(body.slice(at, tag.index))
    if (before !== undefined) return `${before} before ${tag[0].slice(0, 40)}`
    at = tag.index + tag[0].length
    const parts = /^<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*="[^"<]*")*)\s*(\/?)>$/.exec(tag[0])
    if (!parts) return `not a tag: ${tag[0].slice(0, 80)}`
    const [, closes, name = '', attributes = '', isEmpty] = parts
    const names = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, attribute = '', value = '']) => ({ attribute, fault: textFault(value) }))
    if (new Set(names.map(({ attribute }) => attribute)).size !== names.length) return `an attribute twice in ${tag[0].slice(0, 80)}`
    const wrong = names.find(({ fault }) => fault !== undefined)
    if (wrong) return `${wrong.fault ?? ''} in the attribute ${wrong.attribute}`
    if (closes === '/') {
      if (open.pop() !== name) return `</${name}> closes nothing`
    } else {
      if (open.length === 0) roots++
      if (isEmpty !== '/') open.push(name)
    }
  }
  if (open.length > 0) return `<${open.at(-1) ?? ''}> is not closed`
  if (roots !== 1) return `${roots} roots`
  return body.slice(at).trim() === '' ? undefined : 'text after the root'
}

function textFault(text: string): string | undefined {
  if (text.includes('<') || text.includes(']]>')) return 'a bare < or ]]>'
  const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)/.exec(text)
  return entity ? `a bare & at "${text.slice(entity.index, entity.index + 20)}"` : undefined
}
