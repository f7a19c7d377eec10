import type { StudioMaterial } from '#api/studio.ts'
import type { Help, HelpName, HelpSchema } from '#meta/authoring/complete.ts'
import { t } from '../app/messages.ts'

const schemas = import.meta.glob<HelpSchema>('../../generated/editor/{common,report}.schema.json', { import: 'default', eager: true })
const schema = (name: string): HelpSchema => schemas[`../../generated/editor/${name}.schema.json`] ?? {}

/** The schema that editors of files get, with the names this user may use, in his language. */
export function reportHelp({ datasets }: StudioMaterial): Help {
  const named = (fields: readonly { readonly name: string; readonly label: string; readonly type: string }[]): readonly HelpName[] => fields.map(({ name, label, type }) => ({ name, about: `${t(label)} · ${t(`studio.type.${type}`)}` }))
  return {
    schema: schema('report'),
    common: schema('common').definitions ?? {},
    names: (list) => {
      if (list === 'dataset') return datasets.map(({ ID, Label }) => ({ name: ID, about: t(Label) }))
      const [kind = '', id] = list.split('.')
      const dataset = datasets.find(({ ID }) => ID === id)
      if (dataset === undefined) return []
      const { Dimensions: dimensions, Measures: measures, Parameters: parameters } = dataset
      return named({ dimensions, measures, parameters, columns: [...dimensions, ...measures] }[kind] ?? [])
    },
  }
}
