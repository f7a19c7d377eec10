/** A page that shows the description: everything from here, no foreign script. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Arus API</title>
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header><h1>Arus API</h1><label>Search <input id="search" type="search" autocomplete="off"></label></header>
<main id="list" aria-busy="true"><p>Loading…</p></main>
<script src="/api/docs/page.js" defer></script>
</body>
</html>
`

export const pageStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 4rem }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; justify-content: space-between; position: sticky; top: 0; background: Canvas; padding: .5rem 0; border-bottom: 1px solid GrayText }
h1 { font-size: 1.3rem; margin: 0 }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem }
input { font: inherit; padding: .3rem .5rem; min-width: 18rem }
details { border: 1px solid color-mix(in srgb, CanvasText 20%, transparent); border-radius: 6px; margin: .25rem 0 }
summary { cursor: pointer; padding: .4rem .7rem; display: flex; gap: .8rem; flex-wrap: wrap }
summary code { overflow-wrap: anywhere }
.method { font-weight: 700; width: 4.5rem }
.what { margin-left: auto; color: color-mix(in srgb, CanvasText 75%, transparent) }
.inner { padding: 0 .7rem .7rem; overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, transparent); vertical-align: top }
`

export const pageScript = `'use strict'
const list = document.getElementById('list')
const search = document.getElementById('search')
const element = (name, text, className) => {
  const node = document.createElement(name)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  return node
}
const resolve = (spec, schema) => schema && schema.$ref ? spec.components.schemas[schema.$ref.split('/').pop()] : schema
const typeOf = (schema) => {
  if (!schema) return ''
  if (schema.$ref) return schema.$ref.split('/').pop()
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items)
  return [schema.type, schema.format].filter(Boolean).join(' ')
}
const table = (title, rows) => {
  const box = document.createDocumentFragment()
  if (rows.length === 0) return box
  box.append(element('h2', title))
  const grid = element('table')
  for (const row of rows) {
    const line = element('tr')
    row.forEach((cell, i) => line.append(element(i === 0 ? 'th' : 'td', cell)))
    grid.append(line)
  }
  box.append(grid)
  return box
}
const fields = (spec, schema) => {
  const full = resolve(spec, schema)
  if (!full || !full.properties) return []
  const required = new Set(full.required || [])
  return Object.entries(full.properties).map(([name, part]) => [name, typeOf(part), (required.has(name) ? 'required ' : '') + (part.readOnly ? 'read only ' : '') + (part.description || '')])
}
const show = (spec) => {
  const groups = new Map()
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0]
      if (!groups.has(tag)) groups.set(tag, [])
      groups.get(tag).push({ path, method, operation })
    }
  }
  list.replaceChildren()
  list.removeAttribute('aria-busy')
  for (const [tag, operations] of groups) {
    const section = element('section')
    section.append(element('h2', tag))
    for (const { path, method, operation } of operations) {
      const details = element('details')
      const summary = element('summary')
      summary.append(element('span', method.toUpperCase(), 'method'), element('code', path), element('span', operation.summary, 'what'))
      details.append(summary)
      details.dataset.text = (method + ' ' + path + ' ' + operation.summary).toLowerCase()
      details.addEventListener('toggle', () => {
        if (!details.open || details.querySelector('.inner')) return
        const inner = element('div', undefined, 'inner')
        if (operation['x-guard']) inner.append(element('p', 'Permission: ' + operation['x-guard']))
        inner.append(table('Parameters', operation.parameters.map((part) => [part.name, part.in, typeOf(part.schema), part.description || ''])))
        if (operation.requestBody) inner.append(table('Body', fields(spec, operation.requestBody.content['application/json'].schema)))
        const answer = operation.responses['200'].content['application/json'].schema.properties.data
        inner.append(table('Answer (data)', fields(spec, answer)))
        const record = answer.properties && answer.properties.record
        if (record) inner.append(table(typeOf(record), fields(spec, record)))
        details.append(inner)
      })
      section.append(details)
    }
    list.append(section)
  }
}
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(' ').filter(Boolean)
  for (const section of list.children) {
    let visible = 0
    for (const details of section.querySelectorAll('details')) {
      details.hidden = !words.every((word) => details.dataset.text.includes(word))
      if (!details.hidden) visible++
    }
    section.hidden = visible === 0
  }
})
fetch('/api/v1/openapi.json').then((answer) => answer.json()).then(show, (error) => list.replaceChildren(element('p', 'The description could not be loaded: ' + error.message)))
`
