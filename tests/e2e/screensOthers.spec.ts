import { walkThrough } from './everyScreen.ts'

walkThrough('others', 'every other screen shows itself')
