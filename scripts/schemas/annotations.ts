import type { Finding } from '../../src/meta/check/finding.ts'

/** How findings are written for people and for code hosts that show them beside the line. */
export const findingFormats = {
  text: (findings: readonly Finding[]) => findings.map(({ path, line, column, severity, code, message }) => `${path}:${line}:${column}  ${severity}  ${code}  ${message}`),
  /** Workflow commands: `::error file=…,line=…,col=…,title=code::message`. */
  github: (findings: readonly Finding[]) =>
    findings.map(({ path, line, column, severity, code, message }) => `::${severity} file=${property(path)},line=${line},col=${column},title=${property(code)}::${escaped(message)}`),
  /** One JSON array in the code quality format. */
  gitlab: (findings: readonly Finding[]) => [
    JSON.stringify(
      findings.map(({ path, line, column, severity, code, message }) => ({
        description: message,
        check_name: code,
        fingerprint: `${path}:${line}:${column}:${code}`,
        severity: severity === 'error' ? 'major' : 'minor',
        location: { path, positions: { begin: { line, column } } },
      })),
      null,
      1,
    ),
  ],
} satisfies Record<string, (findings: readonly Finding[]) => readonly string[]>

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
