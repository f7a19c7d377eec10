import { walkThrough } from './everyScreen.ts'
import { test } from './support.ts'

// A recording of hundreds of pages costs more than the pages.
test.use({ trace: 'off' })

test.describe('every form shows itself, and axe finds nothing serious: light and wide, dark and narrow', () => walkThrough('forms'))
