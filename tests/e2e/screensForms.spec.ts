import { walkThrough } from './everyScreen.ts'

walkThrough('forms', 'every form shows itself')
