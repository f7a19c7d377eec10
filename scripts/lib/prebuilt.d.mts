export function prebuiltModule(file: string): string | undefined
export function prebuild(): Promise<void>
