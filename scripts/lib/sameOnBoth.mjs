/** Server tests that open no database or always the embedded one: the round on PostgreSQL would only repeat them. */
export const sameOnBoth = [
  'server/backups.test.ts',
  'server/conditionAgreement.test.ts',
  'server/durability.test.ts',
  'server/embedded.test.ts',
  'server/fileStores.test.ts',
  'server/frontendMessages.test.ts',
  'server/tableFiles.test.ts',
  'server/import/hostileFiles.test.ts',
  'server/import/restart.test.ts',
  'server/import/textPool.test.ts',
  'server/named.test.ts',
]

/**
 * Long tests of what is decided before a database is asked: who may do what at which address, what hostile callers send, what is answered in which shape, which
 * figures lead where. What they read and write there others read and write on both.
 */
export const decidedBefore = [
  'server/accessMatrix.test.ts',
  'server/fieldPermissions.test.ts',
  'server/hostile.test.ts',
  'server/hostileCalls.test.ts',
  'server/hostileForms.test.ts',
  'server/openapi.test.ts',
  'server/profile.test.ts',
  'server/singleSignOn.test.ts',
  'server/specification.test.ts',
  'server/studio.test.ts',
  'server/giving.test.ts',
  'reports/dashboard.test.ts',
  'reports/summary.test.ts',
  'server/exportReports.test.ts',
  'seed/grants.test.ts',
  'seed/menuPlaces.test.ts',
]
