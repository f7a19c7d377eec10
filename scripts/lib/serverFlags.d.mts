export declare const serverFlags: (databaseUrl: string | undefined) => readonly string[]
export declare const serverEnvironment: Readonly<Record<string, string>>
