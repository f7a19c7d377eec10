import { expect, it } from 'vitest'
import type { Problem } from '#api/problems.ts'
import { invalid, problem, ProblemError, raise, refusedRow, wrong } from '#server/problemError.ts'

const errors = Array.from({ length: 5_000 }, (_, i) => wrong(`Lines[${i}].Qty`, 'REQUIRED'))
const warnings = errors.map(({ field }) => ({ id: field, code: 'FAR', text: field }))

function thrown(work: () => never): Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof ProblemError) return error.problem
    throw error
  }
}

it('tells the first two hundred of what is wrong, and how many there are, however it is refused', () => {
  const several = problem('DUPLICATE_DOCUMENT')
  for (const told of [thrown(() => invalid(errors)), thrown(() => raise({ ...several, errors }))]) expect(told.errors).toEqual(errors.slice(0, 200))
  expect(thrown(() => invalid(errors)).params).toEqual({ count: 5_000 })
  const { data } = thrown(() => raise({ ...several, data: { warnings, count: 5_000 } }))
  expect(data).toEqual({ warnings: warnings.slice(0, 200), count: 5_000 })
  expect(refusedRow(7, { ...several, data: { warnings } })).toMatchObject({ ID: 7, warnings: warnings.slice(0, 200) })
})
