import type { Plugin } from 'vite'

/** Parts of rjsf that FormHost replaces or never meets: its fields of single values, arrays, unions, layouts, widgets and templates. */
const unusedFields = [
  'ArrayField',
  'BooleanField',
  'CyclicSchemaField',
  'FallbackField',
  'LayoutGridField',
  'LayoutHeaderField',
  'LayoutMultiSchemaField',
  'MultiSchemaField',
  'NullField',
  'NumberField',
  'OptionalDataControlsField',
  'SchemaField',
  'StringField',
]

/**
 * Leaves out of the bundle what rjsf brings for forms we do not have: markdown in descriptions, `$ref` across schemas, data outside of a schema, and the fields,
 * widgets and templates that FormHost has its own of. Forms are flat objects of simple values; a part met all the same shows nothing.
 */
export function leanForms(): Plugin {
  const nothing = '\0rjsf-nothing'
  const buttons = '\0rjsf-buttons'
  const markdown = '\0rjsf-markdown'
  const addresses = '\0rjsf-uri'
  const omitting = '\0rjsf-omit'
  return {
    name: 'lean-forms',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      if (importer === undefined || !importer.includes('/@rjsf/')) return undefined
      if (source === 'markdown-to-jsx/react') return markdown
      if (source === 'fast-uri') return addresses
      if (source === './omitExtraData.js') return omitting
      const from = importer.slice(importer.lastIndexOf('/@rjsf/'))
      if (from.endsWith('/components/fields/index.js') && unusedFields.some((name) => source === `./${name}.js`)) return nothing
      if (from.endsWith('/components/templates/index.js') && source === './ButtonTemplates/index.js') return buttons
      if (/\/components\/(widgets|templates)\/index\.js$/.test(from) && source.startsWith('./')) return nothing
      return undefined
    },
    load(id) {
      if (id === nothing) return 'export default function Nothing() { return null }'
      if (id === buttons) {
        const names = ['SubmitButton', 'AddButton', 'CopyButton', 'MoveDownButton', 'MoveUpButton', 'RemoveButton', 'ClearButton']
        return `const Nothing = () => null\nexport default () => ({ ${names.map((name) => `${name}: Nothing`).join(', ')} })`
      }
      if (id === markdown) return 'export function Markdown({ children }) { return children }'
      // Only what `omitExtraData` asks for calls it, and no form of ours does: values nobody shows stay.
      if (id === omitting) return 'export default (validator, schema, root, data) => data\nexport const getUsedFormData = (data) => data\nexport const getFieldNames = () => []\nexport const isValueEmpty = () => false'
      if (id === addresses) return 'export default { equal: (a, b) => a === b, resolve: (base, reference) => reference }'
      return undefined
    },
  }
}
