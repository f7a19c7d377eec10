import type { FormLines, FormScreen } from '#meta/resolved.ts'

/** Every line grid of a form: those of its sections, then its own. */
export function gridsOf(form: FormScreen): readonly FormLines[] {
  return [...form.sections.flatMap(({ lines }) => (lines === undefined ? [] : [lines])), ...(form.lines === undefined ? [] : [form.lines])]
}
