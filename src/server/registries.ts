import type { Registries } from './app.ts'
import { commands } from './commands/commands.ts'
import { documentHooks } from './documents/hooks.ts'
import { effects } from './workflow/effects.ts'
import { preconditions } from './workflow/preconditions.ts'

/** The business as the running server knows it. */
export const registries: Registries = { preconditions, effects, commands, hooks: documentHooks }
