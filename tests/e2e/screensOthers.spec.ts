import { walkThrough } from './everyScreen.ts'
import { test } from './support.ts'

test.describe('every other screen shows itself, and axe finds nothing serious: light and wide, dark and narrow', () => walkThrough('others'))
