import { walkThrough } from './everyScreen.ts'

walkThrough('lists', 'every list and workbench shows itself')
