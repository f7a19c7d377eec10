// Shows /api/v1/openapi.json: calls by group, each opening to its parameters, body and answers. Parts are built when they are opened.

const calls = document.getElementById('calls')
const search = document.getElementById('search')

// oxlint-disable-next-line no-restricted-globals -- this page stands alone, outside the client
const answer = await fetch('/api/v1/openapi.json')
if (answer.ok) show(await answer.json())
else calls.replaceChildren(element('p', `The description could not be loaded (${answer.status}).`))

function show(document_) {
  document.getElementById('version').textContent = document_.info.version
  const groups = new Map()
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }])
    }
  }
  const order = ['Session', 'Specification', 'Approval', 'Commands', 'Reports', 'Lookups', 'Roles']
  const rank = (tag) => (order.includes(tag) ? order.indexOf(tag) : order.length)
  const sections = [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b)).map(([tag, entries]) => {
    const section = element('section')
    section.append(element('h2', `${tag} (${entries.length})`), ...entries.map((entry) => callOf(document_, entry)))
    return section
  })
  calls.replaceChildren(...document_.info.description.split('\n\n').map(paragraph), ...sections)
  calls.removeAttribute('aria-busy')
  search.addEventListener('input', () => narrow(sections))
  search.value = new URLSearchParams(location.search).get('search') ?? ''
  narrow(sections)
}

function narrow(sections) {
  const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '')
  for (const section of sections) {
    let isEmpty = true
    for (const call of section.querySelectorAll(':scope > details')) {
      call.hidden = !words.every((word) => call.dataset.text.includes(word))
      isEmpty &&= call.hidden
    }
    section.hidden = isEmpty
  }
}

function callOf(document_, { path, method, operation }) {
  const summary = [element('span', method.toUpperCase(), 'method'), element('code', path), element('span', operation.summary, 'what')]
  const call = folded(summary, 'inner', () => [
    ...(operation.description ?? '').split('\n\n').filter((part) => part !== '').map(paragraph),
    ...parametersOf(document_, operation),
    ...bodyOf(document_, operation),
    ...answersOf(document_, operation),
  ])
  call.dataset.text = `${method} ${path} ${operation.summary} ${(operation['x-guards'] ?? []).join(' ')}`.toLowerCase()
  return call
}

function parametersOf(document_, operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document_, parameter))
  if (parameters.length === 0) return []
  const box = element('div', undefined, 'fields')
  for (const parameter of parameters) {
    const schema = parameter.schema ?? parameter.content['application/json'].schema
    box.append(...fieldOf(document_, parameter.name, { description: parameter.description, ...schema }, parameter.required === true, parameter.in))
  }
  return [element('h3', 'Parameters'), box]
}

function bodyOf(document_, operation) {
  if (operation.requestBody === undefined) return []
  const [[media, { schema }]] = Object.entries(operation.requestBody.content)
  return [element('h3', `Body (${media})`), fieldsOf(document_, schema, true)]
}

function answersOf(document_, operation) {
  const [[, content]] = Object.entries(operation.responses['200'].content)
  const data = content.schema?.properties?.data
  const refusals = Object.entries(operation.responses).filter(([status]) => status !== '200').map(([status, response]) => folded([element('code', status), element('span', resolved(document_, response).description, 'note')], 'inner', () => []))
  return [element('h3', 'Answer: data'), data === undefined ? element('p', 'Nothing but the host name.') : fieldsOf(document_, data), element('h3', 'Refusals'), ...refusals]
}

/** The fields of an object schema, each opening to its own. Of a body only what one can send: read-only keys may come back and are ignored. */
function fieldsOf(document_, schema, isSent = false) {
  const { properties, required } = flattened(document_, schema)
  const box = element('div', undefined, 'fields')
  const names = Object.keys(properties).filter((name) => !isSent || properties[name].readOnly !== true)
  if (names.length === 0) box.append(element('p', typeOf(schema)))
  for (const name of names) box.append(...fieldOf(document_, name, properties[name], required.has(name), undefined, isSent))
  return box
}

function fieldOf(document_, name, schema, isRequired, place, isSent = false) {
  const marks = [place, isRequired ? 'required' : undefined, schema.readOnly === true ? 'read only' : undefined].filter((mark) => mark !== undefined)
  const parts = [element('code', name), element('span', typeOf(schema), 'type'), ...marks.map((mark) => element('span', mark, 'mark')), element('span', schema.description ?? '', 'note')]
  const inner = schema.type === 'array' ? schema.items : (schema.anyOf?.find((part) => part.$ref !== undefined) ?? schema)
  const isDeep = Object.keys(flattened(document_, inner).properties).length > 0
  if (isDeep) return [folded(parts, 'fields', () => [...fieldsOf(document_, inner, isSent).childNodes])]
  const row = element('div', undefined, 'row')
  row.append(...parts)
  return [row]
}

function flattened(document_, schema) {
  const whole = resolved(document_, schema)
  const parts = [...(whole.allOf ?? []).map((part) => flattened(document_, part)), ...(schema.$ref === undefined ? [] : [{ properties: {}, required: new Set(schema.required) }])]
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), whole.properties),
    required: new Set([...parts.flatMap((part) => [...part.required]), ...(whole.required ?? [])]),
  }
}

function resolved(document_, part) {
  if (part.$ref === undefined) return part
  return part.$ref.slice(2).split('/').reduce((at, key) => at[key], document_)
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').pop()
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  const limits = [schema.format, schema.pattern, schema.maxLength && `at most ${schema.maxLength} characters`].filter((limit) => limit !== undefined)
  return [[schema.type ?? 'anything'].flat().join(' or '), ...limits].join(', ')
}

function folded(summary, className, build) {
  const details = element('details')
  const head = element('summary')
  head.append(...summary)
  const inner = element('div', undefined, className)
  details.append(head, inner)
  details.addEventListener('toggle', () => {
    if (details.open && inner.childNodes.length === 0) inner.append(...build())
  })
  return details
}

/** Text with `code` in it. */
function paragraph(text) {
  const node = element('p')
  node.append(...text.split('`').map((part, i) => (i % 2 === 0 ? part : element('code', part))))
  return node
}

function element(name, text, className) {
  const node = document.createElement(name)
  if (text !== undefined) node.textContent = text
  if (className !== undefined) node.className = className
  return node
}
