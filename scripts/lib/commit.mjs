import { spawnSync } from 'node:child_process'

/** Commit the sources stand at, as far as anybody knows: ARUS_COMMIT, else git, else "unknown". */
export function commitOf(root) {
  if (process.env.ARUS_COMMIT) return process.env.ARUS_COMMIT
  const asked = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim() : 'unknown'
}
