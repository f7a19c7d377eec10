/** Browser and system of a user agent, as far as people need it to know a device again; '' where it does not say. */
export interface Device {
  readonly browser: string
  readonly system: string
}

// In this order: most browsers also name those they descend from.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\biPhone\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export function deviceOf(userAgent: string): Device {
  let browser = ''
  for (const [pattern, name] of browsers) {
    const match = pattern.exec(userAgent)
    if (!match) continue
    browser = `${name} ${match[1] ?? ''}`.trim()
    break
  }
  return { browser, system: systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '' }
}
