import fs from 'node:fs'

/** A reporter for Vitest: a line of JSON for each file of tests as it ends, so that what ended is known of a run that was stopped too. */
export default class AsTheyEnd {
  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()]
    const failed = tests.filter((test) => test.result().state === 'failed')
    const failures = failed.map((test) => ({ title: test.fullName, message: spoken(test.result().errors?.[0]) }))
    // A file that does not load has errors and no failed test; so has a group whose preparation failed.
    const others = module.state() === 'failed' && failures.length === 0 ? [{ title: '', message: errorOf(module) }] : []
    const line = { file: module.moduleId, passed: tests.filter((test) => test.result().state === 'passed').length, failures: [...failures, ...others] }
    fs.appendFileSync(process.env.ARUS_TESTS_ENDED, `${JSON.stringify(line)}\n`)
  }
}

function errorOf(module) {
  const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
  return spoken(errors[0])
}

/** What went wrong, then where: the stack of what took too long says another thing in its first line. */
function spoken(error) {
  return [error?.message, ...(error?.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))].filter(Boolean).join('\n')
}
