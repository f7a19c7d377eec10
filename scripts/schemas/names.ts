import type { Metadata } from '../../src/meta/metadata.ts'
import type { Sources } from '../../src/meta/sources.ts'

/** Source of `src/generated/names.ts`: what JSON refers to, as unions and as values. */
export function namesModule(metadata: Metadata, sources: Sources): string {
  const transitions = Object.values(metadata.workflows).flatMap((workflow) => workflow.transitions)
  const screens = Object.values(metadata.screens)
  const sections = screens.flatMap((screen) => (screen.kind === 'form' ? screen.sections : []))
  const lines = screens.flatMap((screen) => (screen.kind === 'form' && screen.lines !== undefined ? [screen.lines] : []))
  const lists: readonly (readonly [type: string, constant: string, names: readonly (string | undefined)[], what: string])[] = [
    ['EntityId', 'entityIds', Object.keys(metadata.entities), 'Entities.'],
    ['ScreenId', 'screenIds', Object.keys(metadata.screens), 'Screens.'],
    ['FormId', 'formIds', screens.filter(({ kind }) => kind === 'form').map(({ id }) => id), 'Form screens: each has a validator.'],
    ['GuardName', 'guardNames', metadata.guards.map(({ name }) => name), 'Permissions.'],
    ['PreconditionName', 'preconditionNames', transitions.flatMap(({ preconditions }) => preconditions), 'Preconditions of the workflows.'],
    ['EffectName', 'effectNames', transitions.flatMap(({ effects }) => effects), 'Effects of the workflows.'],
    ['ReasonsName', 'reasonsNames', Object.values(metadata.workflows).map(({ approval }) => approval?.reasons), 'What approvers are told by code.'],
    ['CommandName', 'commandNames', Object.values(metadata.commands).filter(({ derives }) => derives !== true).map(({ name }) => name), 'Server commands.'],
    ['SlotName', 'slotNames', [...sections, ...lines].map(({ slot }) => slot), 'Hand-written parts of forms.'],
    ['PageName', 'pageNames', sources.routes.map(({ page }) => page), 'Hand-written pages.'],
    ['PrintName', 'printNames', sources.routes.map(({ print }) => print), 'Print layouts.'],
    ['PostingEvent', 'postingEvents', Object.keys(metadata.postings), 'Events that book journals.'],
    ['AmountKey', 'amountKeys', Object.values(metadata.postings).flatMap(({ lines }) => lines.map(({ amount }) => amount)), 'Amounts of posting rules.'],
    ['DatasetId', 'datasetIds', Object.keys(metadata.datasets), 'Datasets.'],
  ]
  return `${header}${lists.map((list) => nameList(...list)).join('\n')}`
}

/** First lines of every generated module. */
export const header = '// Written by `npm run gen`. Do not edit.\n\n'

function nameList(type: string, constant: string, names: readonly (string | undefined)[], what: string): string {
  const values = [...new Set(names)].filter((name) => name !== undefined).sort()
  const items = values.map((name) => `  ${JSON.stringify(name)},\n`).join('')
  return `/** ${what} */\nexport const ${constant} = [\n${items}] as const satisfies readonly string[]\nexport type ${type} = (typeof ${constant})[number]\n`
}
